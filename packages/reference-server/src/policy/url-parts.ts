/** Host of a URL as addresses and routes name it: no brackets, no dot at its end. */
export function bareHost(hostname: string): string {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** Port that a URL is called on. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
