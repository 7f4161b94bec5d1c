/** Whether a value is an object, and no array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  isObjectOrArray(value) && !Array.isArray(value)

/** Whether a value is an object or an array. */
export const isObjectOrArray = (value: unknown): value is object =>
  typeof value === 'object' && value !== null

/** Parses JSON. Returns `undefined` for invalid JSON, without the SyntaxError, which quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
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
