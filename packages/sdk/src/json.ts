/** Whether a value is an object or an array. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Longest JSON that is parsed without counting its values, of which it has at most as many as characters. */
const UNCOUNTED_LENGTH = 1024 * 1024

/**
 * Parses JSON. Returns `undefined` if it is invalid, without the SyntaxError, which quotes the text, or if it {@link isExcessive}.
 *
 * @param uncounted longest text that may have more of them. @default 1 MiB
 */
export function parseJson(text: string, uncounted: number = UNCOUNTED_LENGTH): unknown {
  try {
    return isExcessive(text, uncounted) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Whether JSON has more than 1,000 levels or 4,000,000 values, which could take seconds and gigabytes to parse. A page of 100
 * responses with 1,000 answers each has 1,300,000. Exact for valid JSON; the parser rejects the rest.
 *
 * @param uncounted longest text that may have more of them. @default 1 MiB
 */
export function isExcessive(text: string, uncounted: number = UNCOUNTED_LENGTH): boolean {
  if (text.length <= uncounted) return false
  let depth = 0
  let values = 0
  let inText = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) inText = !inText
    else if (inText) at += code === 0x5c ? 1 : 0
    else {
      // A bracket or a brace, which differ in one bit.
      const opens = (code | 0x20) === 0x7b
      if (opens) depth += 1
      if (opens || code === 0x2c) values += 1
      if ((code | 0x20) === 0x7d) depth -= 1
    }
    if (depth > 1000 || values > 4_000_000) return true
  }
  return false
}
