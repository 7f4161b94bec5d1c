import { replaceStray } from '@formwire/internal/invisible'
import {
  CHECKS,
  isExpected,
  type Outcome,
  RECEIVER_CHECKS,
  type ReceiverCheckEntry,
  type ReceiverCheckName,
} from './checks.ts'
import { type ReadCount, SETTLE_MS } from './handled-count.ts'
import { mistakeOf } from './mistakes.ts'
import type { Probe } from './probe.ts'
import { ReceiverUnreachableError } from './send-http.ts'
import type { Connection } from './target.ts'
import { within } from './timers.ts'

/** Milliseconds after which the service gives up (DLV-05). */
const DEADLINE_MS = 10_000
/** Milliseconds to wait for a response: longer than the deadline, so that a slow receiver fails only `fast_enough`. */
const PATIENCE_MS = 15_000
/** Milliseconds to wait for the body of an unexpected response. */
const TEXT_MS = 2_500

/** What checks work with. */
export interface CheckRun extends Connection {
  readonly secret: string
  /** Reads how many responses the receiver has handled; without it, duplicates are judged by their status. */
  readonly readCount: ReadCount | undefined
  /** The status of a genuine delivery that was not accepted; null if there was no response. */
  failedStatus?: number | null
}

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
export async function runCheck(name: ReceiverCheckName, run: CheckRun): Promise<Verdict> {
  const impossible = run.sender.impossible[name]
  if (impossible !== undefined) return { status: null, passed: null, hint: impossible }
  if (!CHECKS[name].repeats) return deliver(name, run)
  if (run.failedStatus === null) return verdictOn(run, name, { status: null, reason: 'genuine got none' })
  if (run.readCount !== undefined) return deliverCounted(name, run, run.readCount)
  const verdict = await deliver(name, run)
  return verdict.passed ? { ...verdict, hint: 'Judged by status only: the count was not checked.' } : verdict
}

async function deliver(name: ReceiverCheckName, run: CheckRun): Promise<Verdict> {
  const startedAt = run.clock.now()
  const outcome = await CHECKS[name].run({ next: run.next, send: (probe) => send(run, name, probe) })
  const late = name === 'fast_enough' && run.clock.now() - startedAt > DEADLINE_MS
  return verdictOn(run, name, outcome, !late)
}

async function deliverCounted(
  name: ReceiverCheckName,
  run: CheckRun,
  readCount: ReadCount,
): Promise<Verdict> {
  try {
    // What earlier deliveries add to the count must not be taken for the effect of these.
    await settle(run)
    const before = await readCount()
    const verdict = await deliver(name, run)
    if (!verdict.passed) return verdict
    await settle(run)
    const handled = (await readCount()) - before
    return handled === 1 ? verdict : { ...verdict, passed: false, hint: countHint(name, handled) }
  } catch (error) {
    if (error instanceof ReceiverUnreachableError) throw error
    const reason = error instanceof Error ? error.message : 'it failed'
    return {
      status: null,
      passed: false,
      hint: `The count of handled responses could not be read (${reason}): check its URL, and respond with the number as plain text.`,
    }
  }
}

/** Waits until the count includes all that the receiver was sent. */
async function settle({ clock, stop, lastResponseAt }: CheckRun): Promise<void> {
  const ms = lastResponseAt + SETTLE_MS - clock.now()
  if (ms > 0) await clock.sleep(ms, stop)
}

function countHint(name: ReceiverCheckName, handled: number): string {
  if (handled > 1) return `The response was handled ${handled} times. ${CHECKS[name].hint}`
  return 'The receiver accepted a new response, but the count of handled responses did not change within 2 seconds: count each response once it is handled.'
}

async function verdictOn(
  run: CheckRun,
  name: ReceiverCheckName,
  outcome: Outcome,
  inTime = true,
): Promise<Verdict> {
  const { status } = outcome
  if (inTime && isExpected(CHECKS[name].expected, status)) return { status, passed: true, hint: null }
  const failed = { status, passed: false }
  if (name === 'genuine') run.failedStatus = status
  // Otherwise each of these checks would blame something else.
  else if (status !== null && status === run.failedStatus)
    return { ...failed, hint: `It gets ${status} like a genuine delivery: fix that first.` }
  const hint = hintFor(CHECKS[name], outcome)
  if (outcome.status === null) return { ...failed, hint }
  const advice = (hint === CHECKS.genuine.hint && (await mistakeOf(run))) || hint
  const body = excerptOf(outcome.text ?? '', run.secret)
  if (body === '') return { ...failed, hint: advice }
  const response = `It responded with ${status} ${JSON.stringify(body)}.`
  return { ...failed, hint: `${advice} ${response}`, quote: { body, advice } }
}

async function send(run: CheckRun, name: ReceiverCheckName, probe: Probe): Promise<Outcome> {
  const { sender, clock, stop } = run
  stop.throwIfAborted()
  try {
    const outcome = await within(clock, PATIENCE_MS, async (over) => {
      const { status, start } = await sender.send(probe, AbortSignal.any([over, stop]))
      if (explainsItself(name, status, run)) return { status }
      return { status, text: await within(clock, TEXT_MS, async () => start?.()) }
    })
    return outcome ?? { status: null, reason: `none within ${PATIENCE_MS / 1000} seconds` }
  } catch (error) {
    stop.throwIfAborted()
    if (error instanceof ReceiverUnreachableError) throw error
    const { code, name } = error as NodeJS.ErrnoException
    return { status: null, reason: code === 'ECONNRESET' || code === 'EPIPE' ? CLOSED : (code ?? name) }
  } finally {
    run.lastResponseAt = clock.now()
  }
}

/** Whether the body of a response would add nothing to its status. */
function explainsItself(name: ReceiverCheckName, status: number, { failedStatus }: CheckRun): boolean {
  return isExpected('2xx', status) || isExpected(CHECKS[name].expected, status) || status === failedStatus
}

/** The reason when the receiver closed the connection. */
export const CLOSED = 'the connection was closed'

/** Returns what is wrong in the receiver and how to fix it, in one sentence. */
export function hintFor(entry: ReceiverCheckEntry, outcome: Outcome): string {
  const { status } = outcome
  // Many servers close the connection in the middle of a body that is too large for them.
  if (status === null && outcome.reason === CLOSED && entry === RECEIVER_CHECKS.large_body) return entry.hint
  if (status === null) {
    return entry.expected === '2xx'
      ? `The receiver sent no response (${outcome.reason}): respond to every delivery, within 10 seconds, before any long work.`
      : `The receiver sent no response (${outcome.reason}) to a delivery that it must refuse: respond with 400 or 401.`
  }
  if (status >= 300 && status < 400) {
    return `The receiver redirects with ${status}, and the service does not follow redirects: respond at this URL itself.`
  }
  if (entry.expected === '4xx' && status >= 500) {
    return `The receiver fails with ${status} on a request that it must refuse: catch the error, and respond with 400 or 401.`
  }
  if (entry === RECEIVER_CHECKS.genuine && isUnhandled(status)) {
    return `Nothing handles a POST to this URL (${status}): check the path of the URL and the method of the route.`
  }
  if (entry === RECEIVER_CHECKS.genuine && status >= 500) {
    return `The receiver fails with ${status} on a genuine delivery: see its log. If a body parser such as express.json() runs before the verification, the raw bytes are gone: mount the receiver before the parser.`
  }
  return entry.hint
}

/** Whether a status says that there is no receiver at the URL, so that the other checks would only repeat it. */
export const isUnhandled = (status: number | null): boolean => status === 404 || status === 405

/** Characters to look at: far fewer than are read, so that a secret at the end of these is still whole. */
const MAX_READ = 300
const MAX_SHOWN = 120
/** A shorter rest of a secret is an ordinary word. */
const MIN_HIDDEN = 8

/** Returns the start of a response body on one line, printable and without the secret. Empty for a page, whose start says nothing. */
export function excerptOf(text: string, secret: string): string {
  if (/^\s*<[!?a-z]/i.test(text)) return ''
  const rest = secret.replace(/^whsec_/, '')
  const parts = rest.length < MIN_HIDDEN ? [secret] : [secret, rest]
  const hidden = parts.reduce((shown, part) => shown.replaceAll(part, '(secret)'), text)
  const line = replaceStray(hidden.slice(0, MAX_READ), () => ' ').replace(/[\p{Cs}\s]+/gu, ' ')
  const characters = [...line.trim()]
  if (characters.length <= MAX_SHOWN) return characters.join('')
  return `${characters.slice(0, MAX_SHOWN).join('')}…`
}
