/** Whether a value is an object, and no array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  isObjectOrArray(value) && !Array.isArray(value)

/** Whether a value is an object or an array. */
export const isObjectOrArray = (value: unknown): value is object =>
  typeof value === 'object' && value !== null

/** Returns the text without the byte order mark that programs on Windows write before UTF-8. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/**
 * Whether a text that was decoded as UTF-8 was UTF-16, with or without a byte order mark: its first character, which is ASCII in JSON,
 * has a NUL. Two invalid bytes alone may be Latin-1, or an image.
 */
export const isUtf16 = (text: string): boolean => /^(?:\uFFFD\uFFFD)?.?\0/s.test(text)

/** Returns why a file is not what it must be: UTF-16, in a text that was read as UTF-8, else `otherwise`. */
export const textProblem = (text: string, otherwise: string): string =>
  isUtf16(text) ? 'in UTF-16; save it as UTF-8' : otherwise

/** Parses JSON after a byte order mark. Returns `undefined` for invalid JSON, without the SyntaxError, which quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(withoutMark(text))
  } catch {
    return undefined
  }
}

/** Parses a JSON object. Returns `undefined` for other and invalid JSON. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

/** Limits on JSON. */
export interface JsonLimits {
  readonly depth: number
  readonly values: number
}

/**
 * Returns the limit that JSON exceeds, before it is parsed. The depth is exact for valid JSON; the parser rejects the rest. The
 * values are counted by the commas and opening brackets outside of texts, so an empty object in a list counts twice.
 */
export function exceededLimit(json: string, limits: JsonLimits): keyof JsonLimits | undefined {
  // JSON has no more levels or values than characters, so ordinary bodies are not scanned.
  if (json.length <= limits.depth && json.length <= limits.values) return undefined
  let depth = 0
  let values = 0
  let inText = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === 0x22) inText = !inText
    else if (inText) at += code === 0x5c ? 1 : 0
    else {
      // A bracket or a brace, which differ in one bit.
      const opens = (code | 0x20) === 0x7b
      if (opens) depth += 1
      if (opens || code === 0x2c) values += 1
      if ((code | 0x20) === 0x7d) depth -= 1
    }
    if (depth > limits.depth) return 'depth'
  }
  return values > limits.values ? 'values' : undefined
}
