import { urlOf } from '@formwire/internal/url'
import { bareHost, portOf } from '../policy/url-parts.ts'

/** Where the deliveries of an overridden host are sent. */
interface OverrideTarget {
  readonly secure: boolean
  readonly host: string
  readonly port: number
}

/** Local receivers by public host name. An override applies to every port that the address rules allow. */
export type HostOverrides = ReadonlyMap<string, OverrideTarget>

/**
 * Reads the `routes` option: public origin or host name to the origin of a local receiver.
 *
 * @throws TypeError that names the first invalid route.
 */
export function parseHostOverrides(routes: ReadonlyMap<string, string>): HostOverrides {
  const overrides = new Map<string, OverrideTarget>()
  for (const [from, to] of routes) {
    const name = readOrigin(from, 'https://')
    const target = readOrigin(to, 'http://')
    if (!name || !target) {
      throw new TypeError(
        `Invalid route ${from}=${to}; use the form https://hooks.example.com=http://127.0.0.1:4000.`,
      )
    }
    overrides.set(bareHost(name.hostname), {
      secure: target.protocol === 'https:',
      host: bareHost(target.hostname),
      port: portOf(target),
    })
  }
  return overrides
}

function readOrigin(text: string, defaultScheme: string): URL | undefined {
  const url = urlOf(text.includes('://') ? text : defaultScheme + text)
  if (!url) return undefined
  const plain = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  return plain && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined
}
