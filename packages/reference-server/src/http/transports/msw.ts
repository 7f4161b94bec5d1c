import { API_ROOT } from '@formwire/contract'
import { readBaseUrl } from '@formwire/internal/base-url'
import type { HttpHandler } from 'msw'
import { namesOf, OptionError, refuseUnknownOptions } from '../../known-names.ts'
import type { FetchOptions } from './fetch.ts'
import { HttpResponse, http } from './load-msw.ts'

/** The part of a server that the handlers need. */
interface Served {
  fetch(request: Request, options?: FetchOptions): Promise<Response>
}

/** Options of `handlers`. */
export interface HandlersOptions {
  /** URL at which the service appears, such as `https://forms.example.com`. @default 'http://formwire.test' */
  baseUrl?: string | undefined
}

const HANDLERS_OPTIONS = namesOf<HandlersOptions>({ baseUrl: true })

/**
 * Returns msw handlers that serve all requests below `baseUrl` from a reference server. Clients must look up
 * `globalThis.fetch` when they call it. A connection that the server resets becomes a network error.
 * @example
 * setupServer(...handlers(server, { baseUrl: 'https://forms.example.com' })).listen()
 * @throws OptionError for an unknown option, and for a `baseUrl` that a client refuses.
 */
export function handlers(server: Served, options: HandlersOptions = {}): HttpHandler[] {
  refuseUnknownOptions(options, HANDLERS_OPTIONS, 'handlers')
  const { baseUrl = 'http://formwire.test' } = options
  const root = readBaseUrl(String(baseUrl), API_ROOT, OptionError)
  const isBelowRoot = ({ request: { url } }: { request: Request }): boolean =>
    url.startsWith(`${root}/`) || url === root
  return [
    // Not a path pattern: msw decodes the path for those, and throws where the server responds with 400.
    http.all(isBelowRoot, async ({ request }) => {
      try {
        return await server.fetch(withoutRoot(request, root))
      } catch {
        return HttpResponse.error()
      }
    }),
  ]
}

/** Removes the path of the base URL, which the server does not expect. */
function withoutRoot(request: Request, root: string): Request {
  const { origin, pathname } = new URL(root)
  if (pathname === '/') return request
  return new Request(origin + request.url.slice(root.length), request)
}
