import { Formwire } from '@formwire/sdk'
import { nodeTransport } from '@formwire/sdk/node'
import type { Credentials } from '../config/credentials.ts'
import type { Output } from '../output/output.ts'
import { spanText } from '../output/time.ts'
import type { ConnectionWatch } from '../polling/connection-watch.ts'
import type { Runtime } from '../runtime.ts'

/** What the client needs of a command's context. */
interface ClientContext {
  output: Output
  runtime: Pick<Runtime, 'env'>
  connection?: ConnectionWatch | undefined
}

/** Timeout of one attempt, in milliseconds. */
const TIMEOUT_MS = 30_000
/** Timeout of one call including its one wait, in milliseconds: a documented `Retry-After` is 60 s. */
const TOTAL_TIMEOUT_MS = 120_000

/**
 * Returns the SDK's client on `node:http(s)`, since loading global fetch takes longer than a request. A call is sent at
 * most twice: after a 429 the command announces the wait and retries once, then fails (ERR-05).
 */
export function createClient(context: ClientContext, { baseUrl, apiKey }: Credentials): Formwire {
  const { output, runtime } = context
  return new Formwire({
    apiKey,
    baseUrl,
    // Already checked, with a hint for this command line.
    allowInsecure: true,
    transport: nodeTransport(),
    timeoutMs: TIMEOUT_MS,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
    maxRetries: 1,
    onRetry({ waitMs, error }) {
      output.clearProgress()
      if ((error as { status?: number }).status === 429) {
        const seconds = Math.max(1, Math.round(waitMs / 1000))
        output.announce('rate_limited', `rate limited; retrying in ${spanText(seconds * 1000)}`, {
          wait_seconds: seconds,
        })
      } else if (context.connection) context.connection.lost(error.message)
      else output.note(`${error.message.replace(/\.$/, '')}; retrying`)
    },
    onResponse({ method, path, status, durationMs }) {
      context.connection?.responded(status)
      if (runtime.env.FORMWIRE_DEBUG)
        output.announce('request', `${method} ${path} ${status} (${spanText(durationMs)})`)
    },
  })
}
