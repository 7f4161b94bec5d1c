import { globalClock, type SleepClock } from '@formwire/internal/clock'
import { checkOption, checkOptions, type OptionNames, unknownName } from '../../verification/check-options.ts'
import { readSecrets } from '../../verification/secrets.ts'
import { CHECKS, type ExpectedStatus, RECEIVER_CHECKS, type ReceiverCheckName } from './checks.ts'
import { countReader, type HandledCount } from './handled-count.ts'
import { deliverySource } from './probe.ts'
import { type CheckRun, isUnhandled, runCheck, type Verdict } from './run-check.ts'
import { ReceiverUnreachableError } from './send-http.ts'
import { type ReceiverTarget, senderTo } from './target.ts'
import { within } from './timers.ts'

/** Options of {@link checkReceiver}. */
export interface CheckReceiverOptions extends ReceiverTarget {
  /** The secret that the receiver verifies with, including `whsec_`. */
  secret: string
  /** Names of the checks to run. @default all of them */
  only?: readonly ReceiverCheckName[] | undefined
  /**
   * The number of responses handled so far: a URL that responds to GET with it as plain text, or a function. Without it,
   * duplicates are judged by their status.
   */
  handled?: HandledCount | undefined
  /** Called after each check, in the order in which they end. */
  onResult?: ((result: ReceiverCheckResult) => void) | undefined
  /** Ends the run; the promise rejects with its reason. */
  signal?: AbortSignal | undefined
  /** The time. @default the system clock */
  clock?: SleepClock | undefined
}

const OPTIONS: OptionNames<CheckReceiverOptions> = {
  url: true,
  fetch: true,
  handle: true,
  secret: true,
  only: true,
  handled: true,
  onResult: true,
  signal: true,
  clock: true,
}

/** The result of one check. */
export interface ReceiverCheckResult extends Verdict {
  name: ReceiverCheckName
  /** Whether a receiver must pass it. Others are only reported. */
  required: boolean
  expected: ExpectedStatus
  /** Milliseconds that the check took. */
  durationMs: number
}

/** The result of {@link checkReceiver}. */
export interface ReceiverReport {
  /** Whether every required check passed. */
  ok: boolean
  passed: number
  /** Failed checks, required or not. */
  failed: number
  skipped: number
  /** In the order of `RECEIVER_CHECKS`. */
  checks: ReceiverCheckResult[]
}

/**
 * Checks a webhook receiver in any language: sends genuine, odd, tampered, old and repeated deliveries, each of which
 * differs from a genuine one in one thing, and compares the status of each response with the expected one.
 *
 * When nothing handles the URL (404 or 405 to `genuine`), the others are skipped. The checks run one after another. Once a response takes longer than the service waits, the others run at the same time.
 * @throws ReceiverUnreachableError when no connection can be established.
 * @throws WebhookVerificationError code "invalid_option" or "invalid_secret".
 * @example
 * const report = await checkReceiver({ url: 'http://127.0.0.1:4000/webhooks', secret: 'whsec_test' })
 * expect(report.checks.filter(({ passed }) => passed === false)).toEqual([])
 */
export async function checkReceiver(options: CheckReceiverOptions): Promise<ReceiverReport> {
  checkOptions(options, OPTIONS)
  const names = selected(options.only)
  const [secret] = readSecrets(options.secret) as [string]
  const clock = options.clock ?? globalClock
  const run: CheckRun = {
    secret,
    next: deliverySource(secret, () => clock.now()),
    sender: senderTo(options),
    clock,
    readCount: options.handled === undefined ? undefined : countReader(options.handled, clock),
    stop: options.signal ?? new AbortController().signal,
    lastResponseAt: 0,
  }
  const results = new Map<ReceiverCheckName, ReceiverCheckResult>()
  let reached = false

  async function check(name: ReceiverCheckName): Promise<void> {
    const startedAt = clock.now()
    const first = results.get('genuine')
    const skipped = first && isUnhandled(first.status) && NO_RECEIVER
    const verdict =
      skipped ||
      (await runCheck(name, run).catch((error: unknown): Verdict => {
        // The receiver has ended during the run.
        if (reached && error instanceof ReceiverUnreachableError) return ended(error)
        throw error
      }))
    reached = true
    const { required, expected } = RECEIVER_CHECKS[name]
    const result = { name, required, expected, durationMs: Math.round(clock.now() - startedAt), ...verdict }
    results.set(name, result)
    options.onResult?.(result)
  }

  // While a count is read, no other delivery may be in flight.
  const alone = names.filter((name) => run.readCount !== undefined && CHECKS[name].repeats)
  const others = names.filter((name) => !alone.includes(name))
  await inTurn(others, check, clock)
  for (const name of alone) await check(name)
  return reportOf(names.map((name) => results.get(name) as ReceiverCheckResult))
}

/** Time after which the rest run at the same time, so that a receiver that hangs costs less than twice the wait for one response. */
const SLOW_MS = 5_000

/** Runs the checks one after another; at the same time as soon as one is slow. */
async function inTurn(
  names: readonly ReceiverCheckName[],
  check: (name: ReceiverCheckName) => Promise<void>,
  clock: SleepClock,
): Promise<void> {
  const running: Promise<void>[] = []
  let slow = false
  for (const name of names) {
    const done = check(name)
    running.push(done)
    if (slow) continue
    slow = (await within(clock, SLOW_MS, () => done.then(() => true))) === undefined
  }
  await Promise.all(running)
}

const NO_RECEIVER: Verdict = {
  status: null,
  passed: null,
  hint: 'Not checked: nothing handles a POST to this URL.',
}

function ended(error: ReceiverUnreachableError): Verdict {
  return { status: null, passed: false, hint: `The receiver ended during the checks: ${error.message}` }
}

function reportOf(checks: ReceiverCheckResult[]): ReceiverReport {
  const count = (verdict: boolean | null) => checks.filter(({ passed }) => passed === verdict).length
  return {
    ok: checks.every(({ passed, required }) => passed !== false || !required),
    passed: count(true),
    failed: count(false),
    skipped: count(null),
    checks,
  }
}

function selected(only: readonly ReceiverCheckName[] | undefined): ReceiverCheckName[] {
  const known = Object.keys(RECEIVER_CHECKS) as ReceiverCheckName[]
  if (only === undefined) return known
  checkOption(Array.isArray(only) && only.length > 0, 'only', 'a list of names of checks', only)
  for (const name of only) if (!known.includes(name)) throw unknownName('check', String(name), known)
  return known.filter((name) => only.includes(name))
}
