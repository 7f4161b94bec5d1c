/** Whether `Accept-Encoding` accepts gzip, by name or else by `*`. A weight of 0 excludes a coding. */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map<string, boolean>()
  for (const part of (header ?? '').split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    weights.set(coding, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
  }
  return weights.get('gzip') ?? weights.get('*') ?? false
}
