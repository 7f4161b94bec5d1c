import { HttpResponse, http, type RequestHandler } from 'msw'
import type { FetchOptions } from './fetch.ts'

/** What msw needs of a server. */
interface Served {
  fetch(request: Request, options?: FetchOptions): Promise<Response>
}

/** Where the server seems to be. */
export interface HandlersOptions {
  /** Root of the service, such as `https://forms.example.com`. @default 'http://formwire.test' */
  baseUrl?: string
}

/**
 * The server behind msw: `setupServer(...handlers(server, { baseUrl }))`. Works for whatever looks
 * `globalThis.fetch` up when it calls. A connection that the server cuts becomes a network error.
 */
export function handlers(
  server: Served,
  { baseUrl = 'http://formwire.test' }: HandlersOptions = {},
): RequestHandler[] {
  const root = baseUrl.replace(/\/+$/, '')
  return [
    // A predicate of our own: msw's path patterns decode the path, and throw where the server answers 400.
    http.all(isBelow(root), async ({ request }) => {
      try {
        return await server.fetch(withoutRoot(request, root))
      } catch {
        return HttpResponse.error()
      }
    }),
  ]
}

const isBelow =
  (root: string) =>
  ({ request: { url } }: { request: Request }): boolean =>
    url.startsWith(`${root}/`) || url === root

/** A base url may have a path of its own; the server knows nothing of it. */
function withoutRoot(request: Request, root: string): Request {
  const { origin, pathname } = new URL(root)
  if (pathname === '/') return request
  return new Request(origin + request.url.slice(root.length), request)
}
