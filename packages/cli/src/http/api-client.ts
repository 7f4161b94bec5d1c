import { Formwire, type Transport } from '@formwire/sdk'
import type { Credentials } from '../config/credentials.ts'
import type { Output } from '../output/output.ts'
import { spanText } from '../output/time.ts'
import type { OutageReport } from '../polling/outage-report.ts'
import type { Runtime } from '../runtime.ts'
import { reasonOf } from '../service-message.ts'
import { proxyOf, throughProxy } from './proxy.ts'
import { referenceServerVersion, serviceTransport } from './service.ts'

/** What the client needs of a command's context. */
interface ClientContext {
  output: Output
  runtime: Pick<Runtime, 'env' | 'clock' | 'clientClock' | 'stop'>
  global: { wait?: boolean | undefined; verbose?: boolean | undefined }
  connection?: OutageReport | undefined
  onRequest?: (() => void) | undefined
  noteDate(date: string | null): void
  inFlight: Set<string>
}

const TIMEOUT_MS = 30_000
/** Timeout of one call including its one wait, in milliseconds: a documented `Retry-After` is 60 s. */
const TOTAL_TIMEOUT_MS = 120_000
/**
 * Returns the SDK's client. A call is sent at most twice: after a 429 the command announces the wait and retries once, then fails (ERR-05). Long work retries more often.
 *
 * @param long retries of one call of long work, and its pace
 */
export function createClient(
  context: ClientContext,
  { baseUrl, apiKey }: Credentials,
  long?: Pick<Pace, 'perMinute'> & { retries: number },
): Formwire {
  const { output, runtime, global } = context
  let waiting: AbortController | undefined
  const proxy = proxyOf(baseUrl, runtime.env)
  const send = serviceTransport(proxy)
  const transport: Transport = async (request) => {
    context.inFlight.add(request.url)
    const response = await send(request).finally(() => context.inFlight.delete(request.url))
    context.noteDate(response.headers.get('date'))
    // A page of a proxy does not end an outage, whatever its status.
    if (/[/+]json\b/i.test(response.headers.get('content-type') ?? 'application/json'))
      context.connection?.responded(response.status)
    return response
  }
  return new Formwire({
    apiKey,
    baseUrl,
    clock: runtime.clientClock,
    // Already checked, with a hint for this command line.
    allowInsecure: true,
    transport: long
      ? pacedTransport(transport, runtime, {
          perMinute: long.perMinute,
          isLocal: async () => (await referenceServerVersion(baseUrl, runtime)) !== undefined,
        })
      : transport,
    rateLimit: false,
    timeoutMs: TIMEOUT_MS + (long ? longestTurnMs(long) : 0),
    totalTimeoutMs: long ? Number.POSITIVE_INFINITY : TOTAL_TIMEOUT_MS,
    maxRetries: global.wait === false ? 0 : (long?.retries ?? 1),
    onRequest() {
      context.onRequest?.()
      waiting?.abort()
    },
    onRetry({ attempt, waitMs, error }) {
      if ((error as { status?: number }).status === 429) {
        // Requests at the same time wait together.
        if (waiting?.signal.aborted === false) return
        const seconds = Math.max(1, Math.round(waitMs / 1000))
        waiting = new AbortController()
        countDown(output, runtime, seconds, waiting.signal)
      } else {
        if (global.verbose) output.announce('request', error.message)
        const reason = reasonOf(error)
        if (context.connection) context.connection.retried(error, reason)
        else {
          const when = long ? ` in ${spanText(waitMs)} (${attempt} of ${long.retries})` : ''
          output.note(
            `${'status' in error ? '' : `could not reach ${throughProxy(baseUrl, proxy)}: `}${reason}; retrying${when}`,
            'wait',
          )
        }
      }
    },
    onResponse({ method, path, status, durationMs }) {
      if (runtime.env.FORMWIRE_DEBUG || global.verbose)
        output.announce('request', `${method} ${path} ${status} (${spanText(durationMs)})`)
    },
  })
}

/**
 * Announces a wait after a 429: once, or on a terminal with a countdown on the status line until `over` aborts. Returns
 * immediately.
 */
function countDown(
  output: Output,
  { clock, stop }: Pick<Runtime, 'clock' | 'stop'>,
  seconds: number,
  over: AbortSignal,
): void {
  const text = (left: number): string => `rate limited; retrying in ${spanText(left * 1000)}`
  if (!output.showsProgress) {
    output.announce('rate_limited', text(seconds), { wait_seconds: seconds })
    return
  }
  const ended = AbortSignal.any([stop, over])
  ended.addEventListener('abort', () => output.waiting(''), { once: true })
  const tick = async (left: number): Promise<void> => {
    if (left === 0 || ended.aborted) return
    output.waiting(text(left))
    await clock.sleep(1000, ended)
    await tick(left - 1)
  }
  tick(seconds).catch(() => undefined)
}

/** Requests that are sent at once, before others are spread evenly. */
const BURST = 10
/** Requests a minute after them: of the documented 120 (RATE-01), others with the key need some. */
const PER_MINUTE = 108
/** Milliseconds between requests after a 429. */
const DOCUMENTED_GAP_MS = 500

/** How many requests of bulk work are sent. */
export interface Pace {
  /** Requests a minute, or 0 for any number. @default 108; any number if the server `isLocal` */
  perMinute?: number | undefined
  /** Returns whether nobody else uses the server. Called once, before the first wait at the default rate. */
  isLocal?: () => Promise<boolean>
}

/** Returns for how many milliseconds requests at the same time may wait for their turn, at most. */
const longestTurnMs = ({ perMinute = PER_MINUTE }: Pace): number =>
  perMinute === 0 ? 0 : (BURST + 1) * (60_000 / perMinute)

/**
 * Spreads requests evenly after a first few, and at the documented rate from the first 429 on.
 */
export function pacedTransport(
  transport: Transport,
  { clock, stop }: Pick<Runtime, 'clock' | 'stop'>,
  { perMinute, isLocal }: Pace,
): Transport {
  const rate = perMinute ?? PER_MINUTE
  const evenGapMs = rate === 0 ? 0 : 60_000 / rate
  /** When as many requests may be sent at once as in the beginning. */
  let restedAt = Number.NEGATIVE_INFINITY
  let isFree: Promise<boolean> | undefined
  let gapMs = 0
  let lastAt = Number.NEGATIVE_INFINITY
  return async (request) => {
    // Set before waiting, for requests at the same time.
    restedAt = Math.max(clock.now(), restedAt) + evenGapMs
    const turnMs = restedAt - Math.min(BURST, rate) * evenGapMs - clock.now()
    // Less is a rounding error.
    if (turnMs >= 1) {
      if (perMinute === undefined) isFree ??= isLocal?.()
      if (!(await isFree)) await clock.sleep(turnMs, stop)
    }
    const now = clock.now()
    lastAt = Math.max(now, lastAt + gapMs)
    if (lastAt > now) await clock.sleep(lastAt - now, stop)
    const response = await transport(request)
    if (response.status === 429) gapMs = DOCUMENTED_GAP_MS
    return response
  }
}
