import { setHeader } from '../edit-delivery.ts'
import type { CheckRun, Wait } from './check-run.ts'
import {
  DUPLICATE_CHECKS,
  type DuplicateCheckName,
  RECEIVER_CHECKS,
  type ReceiverCheckName,
  SINGLE_CHECKS,
  type SingleCheckName,
} from './checks.ts'
import { excerptOf } from './excerpt.ts'
import { SETTLE_MS } from './handled-count.ts'
import { CLOSED, hintFor, hintLikeGenuine, isExpected, type Outcome } from './hints.ts'
import { mistakeOf } from './mistakes.ts'
import type { Probe } from './probe.ts'
import { ReceiverUnreachableError } from './send-http.ts'
import { within } from './timers.ts'

/** Milliseconds after which the service gives up (DLV-05). */
export const DEADLINE_MS = 10_000
/** Milliseconds to wait for a response: longer than the deadline, so that a slow receiver fails only `fast_enough`. */
const PATIENCE_MS = 15_000
/** Milliseconds to wait for a response once the receiver has left a similar request without one. */
const SHORT_PATIENCE_MS = 5_000
/** Milliseconds after which such a wait may end early: less than the time between deadline and patience, since timers are late. */
const LEAST_WAIT_MS = 3_000
/** Milliseconds to wait for the body of an unexpected response: less than that, so that it does not count as slow. */
const TEXT_MS = 2_500
const COPIES = 5
const DELIVERY_ID = 'X-Service-Delivery'

/** The verdict on one check. */
export interface Verdict {
  /** Status of the response that decided; null without a response. */
  status: number | null
  /** Null if the check was skipped. */
  passed: boolean | null
  /** What is wrong in the receiver and how to fix it, or why the check was skipped; null when all is well. */
  hint: string | null
  /** Set if the hint quotes the response. For readers that must not take the words of a receiver for advice, such as agents. */
  quote?: ReceiverQuote
}

/** What a receiver responded to a check that failed. */
interface ReceiverQuote {
  /** Start of the response body on one line, printable and without the secret. */
  body: string
  /** The hint without it. */
  advice: string
}

/** Runs one check. @throws ReceiverUnreachableError */
export function runCheck(name: ReceiverCheckName, run: CheckRun): Promise<Verdict> {
  return isDuplicateCheck(name) ? runDuplicates(name, run) : runSingle(name, run)
}

/** Whether the check sends a delivery more than once, so that a count must see no other deliveries meanwhile. */
export function isDuplicateCheck(name: ReceiverCheckName): name is DuplicateCheckName {
  return Object.hasOwn(DUPLICATE_CHECKS, name)
}

async function runSingle(name: SingleCheckName, run: CheckRun): Promise<Verdict> {
  const impossible = run.sender.impossible[name]
  if (impossible !== undefined) return { status: null, passed: null, hint: impossible }
  const startedAt = run.clock.now()
  const outcome = await send(run, name, SINGLE_CHECKS[name].probe(run.source.next()))
  const late = name === 'fast_enough' && run.clock.now() - startedAt > DEADLINE_MS
  return verdictOn(run, name, outcome, !late)
}

async function runDuplicates(name: DuplicateCheckName, run: CheckRun): Promise<Verdict> {
  const { readCount } = run
  if (run.hung.has('genuine')) return verdictOn(run, name, { status: null, reason: noneTo('genuine') })
  if (readCount === undefined) {
    const verdict = await deliverRepeatedly(name, run)
    return verdict.passed
      ? { ...verdict, hint: 'Judged by status only: the count was not checked.' }
      : verdict
  }
  try {
    // What earlier deliveries add to the count must not be taken for the effect of these.
    await settle(run)
    const before = await readCount()
    const verdict = await deliverRepeatedly(name, run)
    if (!verdict.passed) return verdict
    await settle(run)
    const handled = (await readCount()) - before
    if (handled === 1) return verdict
    return { ...verdict, passed: false, hint: countHint(name, handled) }
  } catch (error) {
    if (error instanceof ReceiverUnreachableError) throw error
    const reason = error instanceof Error ? error.message : 'it failed'
    return {
      status: null,
      passed: false,
      hint: `The count of handled responses could not be read (${reason}): respond with the number as plain text.`,
    }
  }
}

/** Waits until the count includes all that the receiver was sent. */
async function settle({ clock, stop, lastResponseAt }: CheckRun): Promise<void> {
  const ms = lastResponseAt + SETTLE_MS - clock.now()
  if (ms > 0) await clock.sleep(ms, stop)
}

function countHint(name: DuplicateCheckName, handled: number): string {
  if (handled > 1) return `The response was handled ${handled} times. ${RECEIVER_CHECKS[name].hint}`
  return 'The receiver accepted a new response, but the count of handled responses did not change within 2 seconds: count each response once it is handled.'
}

async function deliverRepeatedly(name: DuplicateCheckName, run: CheckRun): Promise<Verdict> {
  if (name === 'concurrent_duplicates') return deliverAtOnce(run)
  // Signed a second earlier than the repetition, as the attempts of a delivery have different signatures.
  const first = run.source.next(1)
  const outcome = await send(run, name, first)
  if (!isExpected(RECEIVER_CHECKS[name], outcome.status)) return verdictOn(run, name, outcome)
  const again = run.source.again(first)
  if (name !== 'same_delivery_twice') return verdictOn(run, name, await send(run, name, again))
  const id = first.headers.find(([header]) => header === DELIVERY_ID)?.[1] as string
  return verdictOn(
    run,
    name,
    await send(run, name, { ...setHeader(again, DELIVERY_ID, id), body: again.body }),
  )
}

async function deliverAtOnce(run: CheckRun): Promise<Verdict> {
  const delivery = run.source.next()
  const name = 'concurrent_duplicates'
  const outcomes = await Promise.all(Array.from({ length: COPIES }, () => send(run, name, delivery)))
  const entry = DUPLICATE_CHECKS[name]
  const wrong = outcomes.find(({ status }) => !isExpected(entry, status) && status !== 409)
  const accepted = outcomes.find(({ status }) => isExpected(entry, status))
  return verdictOn(run, name, wrong ?? accepted ?? (outcomes[0] as Outcome))
}

async function verdictOn(
  run: CheckRun,
  name: ReceiverCheckName,
  outcome: Outcome,
  inTime = true,
): Promise<Verdict> {
  const { status } = outcome
  if (inTime && isExpected(RECEIVER_CHECKS[name], status)) return { status, passed: true, hint: null }
  if (name === 'genuine') run.failedStatus = status
  // Otherwise each of these checks would blame something else.
  else if (status !== null && status === run.failedStatus) {
    return { status, passed: false, hint: hintLikeGenuine(status) }
  }
  return { status, passed: false, ...(await failureHint(run, name, outcome)) }
}

/** Returns the hint of a failed check, with the start of the response. */
async function failureHint(
  run: CheckRun,
  name: ReceiverCheckName,
  outcome: Outcome,
): Promise<Pick<Verdict, 'hint' | 'quote'>> {
  const hint = hintFor(RECEIVER_CHECKS[name], outcome)
  if (outcome.status === null) return { hint }
  const mistake = hint === RECEIVER_CHECKS.genuine.hint ? await mistakeOf(run) : undefined
  const advice = mistake ?? hint
  const body = excerptOf(outcome.text ?? '', run.source.secret)
  if (body === '') return { hint: advice }
  const response = `It responded with ${outcome.status} ${JSON.stringify(body)}.`
  return { hint: `${advice} ${response}`, quote: { body, advice } }
}

async function send(run: CheckRun, name: ReceiverCheckName, probe: Probe): Promise<Outcome> {
  const { sender, clock, stop, waits } = run
  stop.throwIfAborted()
  const earlier = similarHung(name, run)
  const wait: Wait = { name, since: clock.now(), giveUp: new AbortController() }
  waits.add(wait)
  try {
    const outcome = await within(
      clock,
      earlier === undefined ? PATIENCE_MS : SHORT_PATIENCE_MS,
      async (over) => {
        const { status, start } = await sender.send(probe, AbortSignal.any([over, stop]))
        if (explainsItself(name, status, run)) return { status }
        return { status, text: await within(clock, TEXT_MS, async () => start?.()) }
      },
      wait.giveUp.signal,
    )
    if (outcome !== undefined) {
      if (clock.now() - wait.since >= LEAST_WAIT_MS) run.slow.add(RECEIVER_CHECKS[name].expected)
      return outcome
    }
    const reason = `none within ${seconds(clock.now() - wait.since)}`
    const other = earlier ?? similarHung(name, run)
    if (other !== undefined) return { status: null, reason: `${reason}; ${noneTo(other)}` }
    run.hung.add(name)
    giveUpSimilar(run)
    return { status: null, reason }
  } catch (error) {
    stop.throwIfAborted()
    if (error instanceof ReceiverUnreachableError) throw error
    const { code, name } = error as NodeJS.ErrnoException
    return { status: null, reason: code === 'ECONNRESET' || code === 'EPIPE' ? CLOSED : (code ?? name) }
  } finally {
    waits.delete(wait)
    run.lastResponseAt = clock.now()
  }
}

/** Whether the body of a response would add nothing to its status. */
function explainsItself(name: ReceiverCheckName, status: number, { failedStatus }: CheckRun): boolean {
  const accepted = isExpected(RECEIVER_CHECKS.genuine, status)
  return accepted || isExpected(RECEIVER_CHECKS[name], status) || status === failedStatus
}

/** Returns a check without a response that makes one to this check unlikely. */
function similarHung(name: ReceiverCheckName, { hung, slow }: CheckRun): ReceiverCheckName | undefined {
  const { expected } = RECEIVER_CHECKS[name]
  if (slow.has(expected)) return undefined
  return [...hung].find((other) => other === 'genuine' || RECEIVER_CHECKS[other].expected === expected)
}

/** Ends similar waits that last for some time, so that a receiver that hangs costs one deadline. */
function giveUpSimilar(run: CheckRun): void {
  for (const wait of run.waits) {
    const waited = run.clock.now() - wait.since
    if (waited >= LEAST_WAIT_MS && similarHung(wait.name, run) !== undefined) wait.giveUp.abort()
  }
}

function noneTo(name: ReceiverCheckName): string {
  return `${name} got none within ${seconds(PATIENCE_MS)}`
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} seconds`
}
