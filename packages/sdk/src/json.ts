/** Whether a value is an object or an array. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Parses JSON. Returns `undefined` if it is invalid, without the SyntaxError, which quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
