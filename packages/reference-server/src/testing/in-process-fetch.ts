import type { ReferenceServer } from '../server.ts'

/** Returns a `fetch` that calls the server without a socket. Like the global one, it rejects when its signal aborts. */
export function inProcessFetch(server: Pick<ReferenceServer, 'fetch'>): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      server
        .fetch(request)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', abort))
    })
  }
}
