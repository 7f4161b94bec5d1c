import { ERROR_STATUS } from '@formwire/contract'
import type { Clock } from '../clock/index.ts'

const WARNING =
  "The server returned 429: the key has reached its limit of requests per minute, and the kit's clock is manual, so the " +
  "minute does not pass while a client waits. Advance server.clock by '1m', reset() between tests, or do not set limits."

/** Start of the error message for the limit of a key. Injected faults and blocked addresses have other messages. */
const KEY_LIMIT = 'Too many requests with this key'

/**
 * Returns a `fetch` that warns once when a key reaches its limit on a manual clock. A client that waits for
 * `Retry-After` in real time would be refused again, and the test would time out without showing why.
 */
export function warnOfLimit(
  fetch: typeof globalThis.fetch,
  clock: Pick<Clock, 'mode'>,
): typeof globalThis.fetch {
  let warned = clock.mode !== 'manual'
  return async (...request) => {
    const response = await fetch(...request)
    if (!warned && response.status === ERROR_STATUS.rate_limited) {
      // Not awaited, so that the caller is not delayed.
      response
        .clone()
        .text()
        .then((text) => {
          if (warned || !text.includes(KEY_LIMIT)) return
          warned = true
          process.emitWarning(WARNING, 'FormwireWarning')
        })
        .catch(() => undefined)
    }
    return response
  }
}
