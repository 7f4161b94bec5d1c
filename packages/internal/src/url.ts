/**
 * Returns the URL that a text is, `undefined` if it is none. `URL.canParse` of Node 20 refuses "https://bücher.example" once V8 has
 * optimized its caller.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
