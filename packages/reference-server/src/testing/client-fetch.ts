import { ERROR_STATUS } from '@formwire/contract'
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

const WARNING =
  "The server returned 429: the key has reached its limit of requests per minute, and the kit's clock is manual, so the " +
  "minute does not pass while a client waits. Advance server.clock by '1m', reset() between tests, or do not set limits."

/**
 * Returns a `fetch` that warns once when a key reaches its limit on a manual clock. A client that waits for
 * `Retry-After` in real time would be refused again, and the test would time out without showing why.
 */
export function warnOfLimit(
  fetch: typeof globalThis.fetch,
  { app, clock }: Pick<ReferenceServer, 'app' | 'clock'>,
): typeof globalThis.fetch {
  let warned = clock.mode !== 'manual'
  // Injected faults and blocked addresses are refused before a key is read. The journal and the header may be off.
  const isOfKey = ({ status, headers }: Response): boolean => {
    const id = headers.get('x-request-id')
    const refused = app.requests.list().filter((entry) => entry.status === status)
    return refused.find((entry) => id === null || entry.request_id === id)?.key_id !== null
  }
  return async (...request) => {
    const response = await fetch(...request)
    if (!warned && response.status === ERROR_STATUS.rate_limited && isOfKey(response)) {
      warned = true
      process.emitWarning(WARNING, 'FormwireWarning')
    }
    return response
  }
}
