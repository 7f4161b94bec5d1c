import { bareHost, portOf } from '../policy/url-parts.ts'

/** Where the deliveries of a routed name really go. */
interface RouteTarget {
  readonly secure: boolean
  readonly host: string
  readonly port: number
}

/** Public host name to local receiver. A route stands for its name on every port that the address rules allow. */
export type Routes = ReadonlyMap<string, RouteTarget>

/**
 * Reads the `routes` setting: a public origin or bare name to the origin of a local receiver.
 *
 * @throws TypeError that names the route which cannot be read.
 */
export function parseRoutes(routes: ReadonlyMap<string, string>): Routes {
  const parsed = new Map<string, RouteTarget>()
  for (const [from, to] of routes) {
    const name = readOrigin(from, 'https://')
    const target = readOrigin(to, 'http://')
    if (!name || !target) {
      throw new TypeError(
        `Cannot read the route ${from}=${to}: give it as https://hooks.example.com=http://127.0.0.1:4000.`,
      )
    }
    parsed.set(bareHost(name.hostname), {
      secure: target.protocol === 'https:',
      host: bareHost(target.hostname),
      port: portOf(target),
    })
  }
  return parsed
}

function readOrigin(text: string, defaultScheme: string): URL | undefined {
  const full = text.includes('://') ? text : defaultScheme + text
  if (!URL.canParse(full)) return undefined
  const url = new URL(full)
  const plain = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  return plain && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined
}
