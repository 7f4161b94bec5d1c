import type { ReferenceServer } from '../server.ts'

/** `fetch` for a client: the server without a socket in between. Like the real one it rejects when its signal aborts. */
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
