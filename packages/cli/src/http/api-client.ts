import { Formwire } from '@formwire/sdk'
import { nodeTransport } from '@formwire/sdk/node'
import type { Credentials } from '../config/credentials.ts'
import type { Context } from '../context.ts'
import { spanText } from '../output/time.ts'

/** Longest time for one attempt, in milliseconds. */
const TIMEOUT_MS = 30_000
/** Longest time for one call with its one wait: a documented `Retry-After` is 60 s. */
const TOTAL_TIMEOUT_MS = 120_000

/**
 * The SDK's client on `node:http(s)` alone: global fetch would cost a one-shot command more than the request. A call is
 * tried twice at most, so a 429 is waited for once, announced, and then ends the command (ERR-05).
 */
export function createClient(context: Context, { baseUrl, apiKey }: Credentials): Formwire {
  const { output, runtime } = context
  return new Formwire({
    apiKey,
    baseUrl,
    // Judged already, with a hint of our own.
    allowInsecure: true,
    transport: nodeTransport(),
    timeoutMs: TIMEOUT_MS,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
    maxRetries: 1,
    onRetry({ waitMs, error }) {
      output.clearProgress()
      if ((error as { status?: number }).status === 429) {
        const seconds = Math.max(1, Math.round(waitMs / 1000))
        output.announce('rate_limited', `rate limited; trying once more in ${spanText(seconds * 1000)}`, {
          wait_seconds: seconds,
        })
      } else output.note(`trying once more: ${error.message}`)
    },
    ...(runtime.env.FORMWIRE_DEBUG
      ? {
          onResponse({ method, path, status, durationMs }) {
            output.announce('request', `${method} ${path} ${status} (${spanText(durationMs)})`)
          },
        }
      : {}),
  })
}
