/** Returns the first value of a header in Node's flat list, ignoring case. `name` is in lower case. */
export function headerValue(rawHeaders: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) return rawHeaders[at + 1]
  }
  return undefined
}

/** Returns the headers to forward to a handler, unchanged: X-Service-* and Content-Type. */
export function forwardedHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const lower = name.toLowerCase()
    if (lower.startsWith('x-service-') || lower === 'content-type') headers[name] = rawHeaders[at + 1] ?? ''
  }
  return headers
}
