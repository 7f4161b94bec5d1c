import { isPlainHttpHost } from './loopback.ts'
import { urlOf } from './url.ts'

/**
 * Reads the root URL of a service. Returns it as `URL` writes it, without a slash at the end, so that two texts of one root are equal.
 *
 * @param apiRoot path that clients add, which the root must not contain.
 * @throws Invalid with what is wrong. The text may contain a key: only its host is quoted.
 */
export function readBaseUrl(text: string, apiRoot: string, Invalid: new (message: string) => Error): string {
  if (!/^https?:/i.test(text)) {
    // Suggest a URL only if the text is just a host. A longer text may contain a key.
    const [, root, host = ''] = /^(([a-z\d.-]+)(?::\d+)?)\/?$/i.exec(text) ?? []
    const fix = root && `: use "${isPlainHttpHost(host) ? 'http' : 'https'}://${root}"`
    throw new Invalid(`"baseUrl" must begin with https:// or http://${fix ?? ''}.`)
  }
  const url = urlOf(text)
  if (!url) throw new Invalid('"baseUrl" must be an absolute URL.')
  // URL drops empty credentials, but a reader may take the text before the @ for the host.
  if (/^https?:[/\\]*[^/\\?#]*@/i.test(text) || url.search || url.hash)
    throw new Invalid(`"baseUrl" of ${url.host} must not carry credentials, a query or a fragment.`)
  const root = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  if (`${root}/`.includes(`${apiRoot}/`))
    throw new Invalid(`"baseUrl" of ${url.host} must not contain ${apiRoot}, which the client adds.`)
  return root
}
