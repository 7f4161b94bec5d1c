const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}')

/** Whether brackets outside texts nest more than `levels` deep. Exact for valid JSON; the parser rejects the rest. */
export function isDeeperThan(levels: number, bytes: Uint8Array): boolean {
  // JSON has no more levels than bytes, so ordinary bodies are not scanned.
  if (bytes.length <= levels) return false
  let depth = 0
  let inText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) inText = !inText
    else if (inText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1
    if (depth > levels) return true
  }
  return false
}
