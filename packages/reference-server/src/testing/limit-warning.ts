import { ERROR_STATUS } from '@formwire/contract'
import type { Clock } from '../clock.ts'

const WARNING =
  "The server answers 429: the key has used up its requests of this minute, and the kit's clock is manual, so that the minute " +
  "does not pass while a client waits. Start with limits: 'off', advance server.clock by '1m', or reset() between tests."

/** How the refusal of a key's own limit begins; an injected fault and a blocked address say something else. */
const KEY_LIMIT = 'Too many requests with this key'

/**
 * A `fetch` that warns, once, when a key has reached its limit on a clock that stands still: a client that waits out
 * `Retry-After` in real time would only be refused again, and a test would time out without a word of why.
 */
export function warnOfLimit(
  fetch: typeof globalThis.fetch,
  clock: Pick<Clock, 'mode'>,
): typeof globalThis.fetch {
  let warned = clock.mode !== 'manual'
  return async (...request) => {
    const answer = await fetch(...request)
    if (!warned && answer.status === ERROR_STATUS.rate_limited) {
      // Read beside the caller, who waits for nothing.
      answer
        .clone()
        .text()
        .then((text) => {
          if (warned || !text.includes(KEY_LIMIT)) return
          warned = true
          process.emitWarning(WARNING, 'FormwireWarning')
        })
        .catch(() => undefined)
    }
    return answer
  }
}
