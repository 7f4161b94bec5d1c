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
  until,
} from '../matching/match.ts'
import { elapsedMs, nextTurn } from '../real-timers.ts'
import { WAITS_TURN_MS } from '../resource-limits.ts'
import { readObject, readWord, refuseUnknownFields } from '../services/input.ts'

const SUBJECTS = ['request', 'delivery', 'response'] as const satisfies readonly WaitSubject[]
const FIELDS = namesOf<WaitRequest>({ for: true, match: true, timeout_ms: true })
const DEFAULT_TIMEOUT_MS = 5000
const TIMEOUT_MAX_MS = 60_000
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
  if (!(Number.isInteger(timeoutMs) && Number(timeoutMs) >= 0 && Number(timeoutMs) <= TIMEOUT_MAX_MS))
    throw invalid('timeout_ms', `timeout_ms must be an integer from 0 to ${TIMEOUT_MAX_MS}.`)
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
interface Source<Kept extends object = object, Shown extends object = object> {
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
  /** Resolves in a turn of the event loop in which no other wait of the server compares. */
  readonly takeTurn: () => Promise<void>
}

/** Returns the `takeTurn` of the waits of one server. */
export function createTurns(): WaitSources['takeTurn'] {
  let last = Promise.resolve()
  return () => {
    last = last.then(nextTurn)
    return last
  }
}

/** Resolves once a record matches, including those that exist, or at the timeout or when `signal` aborts. */
export async function waitFor(
  { subject, match, timeoutMs }: Wait,
  { context, journal, takeTurn, signal }: WaitSources & { readonly signal: AbortSignal },
): Promise<WaitResult> {
  const source: Source = {
    request: () => requestSource(journal),
    delivery: () => deliverySource(context),
    response: () => responseSource(context),
  }[subject]()
  const membersOf = (shown: object): object => source.members?.(shown, match) ?? shown
  /** Yields the records. Only one wait compares in each turn of the event loop, and not for long. */
  async function* records(): AsyncGenerator<object> {
    await takeTurn()
    let end = elapsedMs() + WAITS_TURN_MS
    for (const record of source.records()) {
      if (elapsedMs() >= end) {
        await takeTurn()
        end = elapsedMs() + WAITS_TURN_MS
      }
      if (signal.aborted) return
      yield record
    }
  }
  // Records are replaced when they change, so each needs to be compared only once.
  const compared = new WeakSet()
  let looked: ReturnType<typeof source.revision> | undefined
  const look = async (): Promise<object | undefined> => {
    const revision = source.revision()
    if (looked?.owner === revision.owner && looked.count === revision.count) return undefined
    looked = revision
    for await (const record of records()) {
      if (compared.has(record)) continue
      compared.add(record)
      const shown = source.show(record)
      if (matches(membersOf(shown), match)) return shown
    }
    return undefined
  }
  const found = await until(look, { timeoutMs, signal })
  if (found !== undefined) return { found }
  const nearest = new NearestCandidates<object>(match, source.summary)
  for await (const record of records()) nearest.add(membersOf(source.show(record)))
  return { nearest: nearest.describe() }
}

const requestSource = (journal: Journal): Source<JournalEntry, JournalEntry> => ({
  revision: () => ({ owner: journal, count: journal.revision }),
  records: () => journal.list(),
  show: (entry) => entry,
  members: (entry, { query }) =>
    typeof query === 'object'
      ? { ...entry, query: Object.fromEntries(new URLSearchParams(entry.query)) }
      : entry,
  summary: requestSummary,
})

const deliverySource = (context: Context): Source<DeliveryRecord, Delivery> => ({
  revision: () => ({ owner: context.state, count: context.state.deliveries.revision }),
  records: () =>
    Array.from(context.state.endpoints.all())
      .flatMap(({ id }) => context.state.deliveries.log(id, context.clock.now()))
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
