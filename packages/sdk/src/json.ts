/** Whether a value is an object or an array. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Longest JSON that is parsed without counting its values: whatever it holds, that takes a quarter of a second. */
const UNCOUNTED_LENGTH = 1024 * 1024

/**
 * Parses JSON. Returns `undefined` if it is invalid, without the SyntaxError, which quotes the text, or if it has more than 1,000
 * levels or 1,000,000 values, which could take seconds and gigabytes to parse.
 *
 * @param uncounted longest text that may have more of them. @default 1 MiB
 */
export function parseJson(text: string, uncounted: number = UNCOUNTED_LENGTH): unknown {
  try {
    return text.length > uncounted && isExcessive(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Exact for valid JSON; the parser rejects the rest. */
function isExcessive(text: string): boolean {
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
    if (depth > 1000 || values > 1_000_000) return true
  }
  return false
}
