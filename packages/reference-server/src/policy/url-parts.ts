/** Returns a URL's host without brackets and without a trailing dot. */
export function bareHost(hostname: string): string {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** Returns the port of a URL, or the default port of its scheme. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
