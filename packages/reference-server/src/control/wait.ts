import type { FormResponse } from '@formwire/contract'
import type { Delivery, JournalEntry, WaitRequest, WaitSubject } from '@formwire/contract/control'
import { isObjectOrArray } from '@formwire/internal/json'
import type { Context } from '../context.ts'
import { writeEntry } from '../delivery/index.ts'
import type { DeliveryRecord } from '../domain/delivery.ts'
import type { ResponseRecord } from '../domain/response.ts'
import { invalid } from '../domain/service-error.ts'
import type { Journal } from '../http/journal.ts'
import { namesOf } from '../known-names.ts'
import {
  deliverySummary,
  matches,
  NearestCandidates,
  requestSummary,
  responseSummary,
} from '../matching/match.ts'
import { elapsedMs, nextTurn, sleep } from '../real-timers.ts'
import { WAITS_TURN_MS } from '../resource-limits.ts'
import { readObject, readWord, refuseUnknownFields } from '../services/input.ts'

const SUBJECTS = ['request', 'delivery', 'response'] as const satisfies readonly WaitSubject[]
const FIELDS = namesOf<WaitRequest>({ for: true, match: true, timeout_ms: true })
const DEFAULT_TIMEOUT_MS = 5000
const TIMEOUT_MAX_MS = 60_000
/** Real milliseconds between two checks whether anything is new. */
const CHECK_EVERY_MS = 5
/** Limits on a match, since it is compared with every record. */
const MATCH_MAX_DEPTH = 32
const MATCH_MAX_VALUES = 1000

type Match = Readonly<Record<string, unknown>>

/** A wait that was read from a request. */
export interface Wait {
  readonly subject: WaitSubject
  readonly match: Match
  readonly timeoutMs: number
}

/** What a wait ended with: what matched, or what came closest. */
export type WaitResult = { readonly found: object } | { readonly nearest: string }

/** Reads the body of `POST /_app/wait`. Throws 422 with the field. */
export function readWait(body: Readonly<Record<string, unknown>>): Wait {
  refuseUnknownFields(body, FIELDS)
  const subject = readWord(body.for, 'for', SUBJECTS)
  const match = body.match === undefined ? {} : readObject(body.match, 'match')
  refuseExcessive(match)
  const { timeout_ms: timeoutMs = DEFAULT_TIMEOUT_MS } = body
  if (!(Number.isInteger(timeoutMs) && Number(timeoutMs) >= 0 && Number(timeoutMs) <= TIMEOUT_MAX_MS)) {
    throw invalid('timeout_ms', `timeout_ms must be an integer from 0 to ${TIMEOUT_MAX_MS}.`)
  }
  return { subject, match, timeoutMs: Number(timeoutMs) }
}

function refuseExcessive(match: Match): void {
  let level: unknown[] = [match]
  let values = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length
    if (depth > MATCH_MAX_DEPTH)
      throw invalid('match', `match must be at most ${MATCH_MAX_DEPTH} levels deep.`)
    if (values > MATCH_MAX_VALUES)
      throw invalid('match', `match must have at most ${MATCH_MAX_VALUES} values.`)
    level = level.flatMap((value) => (isObjectOrArray(value) ? Object.values(value) : []))
  }
}

/** Records of one kind. */
interface Source<Kept extends object, Shown extends object> {
  /** What the records belong to, and a number that grows with every change to them. */
  revision(): { readonly owner: object; readonly count: number }
  /** Latest first. */
  records(): Iterable<Kept>
  /** Returns a record as the API shows it. */
  show(record: Kept): Shown
  /** Returns what the members of a match are compared with. */
  members?(shown: Shown, match: Match): object
  summary(shown: Shown): string
}

/** What a wait looks at. */
export interface WaitSources {
  readonly context: Context
  readonly journal: Journal
  /**
   * Whether a delivery belongs to the history of the demo and is as it was at the start. Waits ignore it: they wait for what a test
   * does.
   */
  readonly isHistory: (delivery: DeliveryRecord) => boolean
}

/** Resolves once a record matches, including those that exist, or at the timeout or when `signal` aborts. */
export async function waitFor(
  wait: Wait,
  { context, journal, isHistory, signal }: WaitSources & { readonly signal: AbortSignal },
): Promise<WaitResult> {
  switch (wait.subject) {
    case 'request':
      return waitIn(requestSource(journal), wait, signal)
    case 'delivery':
      return waitIn(deliverySource(context, isHistory), wait, signal)
    case 'response':
      return waitIn(responseSource(context), wait, signal)
  }
}

async function waitIn<Kept extends object, Shown extends object>(
  source: Source<Kept, Shown>,
  { match, timeoutMs }: Wait,
  signal: AbortSignal,
): Promise<WaitResult> {
  const membersOf = (shown: Shown): object => source.members?.(shown, match) ?? shown
  const end = elapsedMs() + timeoutMs
  // Records are replaced when they change, so each needs to be compared only once.
  const compared = new WeakSet<Kept>()
  let looked: ReturnType<typeof source.revision> | undefined
  for (;;) {
    const revision = source.revision()
    if (looked?.owner !== revision.owner || looked.count !== revision.count) {
      looked = revision
      for await (const record of inTurns(() => source.records(), signal)) {
        if (compared.has(record)) continue
        compared.add(record)
        const shown = source.show(record)
        if (matches(membersOf(shown), match)) return { found: shown }
      }
    }
    const left = end - elapsedMs()
    if (left <= 0 || signal.aborted) break
    await sleep(Math.min(left, CHECK_EVERY_MS), { signal })
  }
  const nearest = new NearestCandidates<object>(match, (shown) => source.summary(shown as Shown))
  for await (const record of inTurns(() => source.records(), signal))
    nearest.add(membersOf(source.show(record)))
  return { nearest: nearest.describe() }
}

/** Queue in which waits take turns. */
let lastTurn = Promise.resolve()

/** Yields records. Only one wait compares in each turn of the event loop, and not for long. */
async function* inTurns<Kept>(records: () => Iterable<Kept>, signal: AbortSignal): AsyncGenerator<Kept> {
  let end = 0
  const takeTurn = async (): Promise<void> => {
    lastTurn = lastTurn.then(nextTurn)
    await lastTurn
    end = elapsedMs() + WAITS_TURN_MS
  }
  await takeTurn()
  for (const record of records()) {
    if (elapsedMs() >= end) await takeTurn()
    if (signal.aborted) return
    yield record
  }
}

const requestSource = (journal: Journal): Source<JournalEntry, JournalEntry> => ({
  revision: () => ({ owner: journal, count: journal.revision }),
  records: () => journal.received(),
  show: (entry) => entry,
  members: (entry, { query }) =>
    typeof query === 'object'
      ? { ...entry, query: Object.fromEntries(new URLSearchParams(entry.query)) }
      : entry,
  summary: requestSummary,
})

const deliverySource = (
  context: Context,
  isHistory: WaitSources['isHistory'],
): Source<DeliveryRecord, Delivery> => ({
  revision: () => ({ owner: context.state, count: context.state.deliveries.revision }),
  records: () =>
    Array.from(context.state.endpoints.all())
      .flatMap(({ id }) => context.state.deliveries.log(id, context.clock.now()))
      .filter((delivery) => !isHistory(delivery))
      .sort((a, b) => b.sequence - a.sequence),
  show: (delivery) => writeEntry(delivery, context.settings.unspecified),
  summary: deliverySummary,
})

const responseSource = (context: Context): Source<ResponseRecord, FormResponse> => ({
  revision: () => ({ owner: context.state, count: context.state.responses.revision }),
  records: () => Array.from(context.state.responses.all()).reverse(),
  show: ({ json }) => JSON.parse(json) as FormResponse,
  summary: responseSummary,
})
