const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}')

/** Limits on JSON. */
export interface JsonLimits {
  readonly depth: number
  readonly values: number
}

/**
 * Returns the limit that a JSON text exceeds, before it is parsed. The depth is exact for valid JSON; the parser rejects the rest. The
 * values are counted by the commas and opening brackets outside of texts, so an empty object in a list counts twice.
 */
export function exceededLimit(bytes: Uint8Array, limits: JsonLimits): keyof JsonLimits | undefined {
  // JSON has no more levels or values than bytes, so ordinary bodies are not scanned.
  if (bytes.length <= limits.depth && bytes.length <= limits.values) return undefined
  let depth = 0
  let values = 0
  let inText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) inText = !inText
    else if (inText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === COMMA) values += 1
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1
      values += 1
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1
    if (depth > limits.depth) return 'depth'
  }
  return values > limits.values ? 'values' : undefined
}
