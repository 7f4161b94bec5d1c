/** Whether `Accept-Encoding` takes gzip: by its own name, or, where that is not said, by `*`; a weight of 0 refuses. */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map<string, boolean>()
  for (const part of (header ?? '').split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    weights.set(coding, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
  }
  return weights.get('gzip') ?? weights.get('*') ?? false
}
