import { isDeepStrictEqual } from 'node:util'
import type { FormResponse } from '@formwire/contract'
import type { Delivery, JournalEntry } from '@formwire/contract/control'
import { isObjectOrArray } from '@formwire/internal/json'
import { quote } from '../known-names.ts'
import { elapsedMs, sleep } from '../real-timers.ts'

/** Maximum number of candidates in a message. */
const SHOWN = 3

/** Collects the candidates that differ least from a match. Of equally close ones, those added first. */
export class NearestCandidates<Item> {
  readonly #match: MatchOf<Item>
  readonly #summary: (item: Item) => string
  #count = 0
  #nearest: { readonly item: Item; readonly wrong: readonly string[] }[] = []

  constructor(match: MatchOf<Item>, summary: (item: Item) => string) {
    this.#match = match
    this.#summary = summary
  }

  add(item: Item): void {
    this.#count += 1
    const wrong: string[] = []
    const most = this.#nearest[SHOWN - 1]?.wrong.length ?? Number.POSITIVE_INFINITY
    for (const line of differences(item, this.#match)) if (wrong.push(line) >= most) return
    this.#nearest = [...this.#nearest, { item, wrong }]
      .sort((a, b) => a.wrong.length - b.wrong.length)
      .slice(0, SHOWN)
  }

  /** Describes the closest candidates and how they differ, as the end of a message. @param verb What was done with them. */
  describe(verb = 'Recorded'): string {
    if (this.#count === 0) return 'None were recorded.'
    const lines = this.#nearest.flatMap(({ item, wrong }) => [
      `  ${this.#summary(item)}`,
      ...wrong.map((line) => `    ${line}`),
    ])
    return [`${verb} ${this.#count}, the closest:`, ...lines].join('\n')
  }
}

/** Describes the closest of some items and how they differ, as the end of a message. */
export function describeNearest<Item>(
  items: readonly Item[],
  match: MatchOf<Item>,
  summary: (item: Item) => string,
  verb?: string,
): string {
  const nearest = new NearestCandidates(match, summary)
  for (const item of items) nearest.add(item)
  return nearest.describe(verb)
}

/** One line for each kind of record, for the messages of expectations and waits. */

/** `query` is the text of the journal, or its parsed form. */
type SummarizedRequest = Pick<JournalEntry, 'number' | 'method' | 'path' | 'status'> & {
  readonly query: string | Readonly<Record<string, string>>
}

export const requestSummary = ({ number, method, path, query, status }: SummarizedRequest): string => {
  const text = typeof query === 'string' ? query : new URLSearchParams(query).toString()
  return `#${number} ${method} ${path}${text === '' ? '' : `?${text}`} → ${status}`
}

export const deliverySummary = (entry: Delivery): string =>
  `${entry.id} ${entry.event} of response ${entry.response_id} to endpoint ${entry.webhook_id}: ${entry.status} after ` +
  `${entry.attempts} ${entry.attempts === 1 ? 'attempt' : 'attempts'}${lastOutcome(entry)}, ${entry.next_attempt_at === null ? 'no further attempt' : `next at ${entry.next_attempt_at}`}`

/** The status and the error of the last attempt, whichever there is. */
function lastOutcome({ http_status: status, error }: Delivery): string {
  const known = error === `http_${status}` ? null : error
  return `${status === null ? '' : `, last status ${status}`}${known === null ? '' : `, last error ${known}`}`
}

export const responseSummary = ({ id, form_id, status, submitted_at }: FormResponse): string =>
  `response ${id} of form ${form_id}: ${status}, ${submitted_at ?? 'not submitted'}`

/**
 * Expected members, at any depth; members that are not listed are ignored. A regular expression tests a string, a
 * function is a predicate, each item of an array must match some item, an empty array matches only an empty one, and
 * asymmetric matchers such as `expect.any(...)` work as in an assertion. Everything else must be deeply equal.
 *
 * @example
 * ```ts
 * kit.expectRequest({ method: 'GET', path: /responses$/, query: { page: '2' } })
 * ```
 */
export type MatchOf<Value> = { readonly [Member in keyof Value]?: unknown } | ((value: Value) => boolean)

/** Whether a value is as expected: compares no further than the first difference. */
export const matches = (actual: unknown, wanted: unknown): boolean =>
  differences(actual, wanted).next().done === true

/** Yields one line for each difference, and compares no further than the caller reads. */
function* differences(actual: unknown, wanted: unknown, path = ''): Generator<string, undefined> {
  if (typeof wanted === 'function') {
    if (wanted(actual) !== true) yield `${at(path)}${show(actual)} did not satisfy the predicate`
  } else if (wanted instanceof RegExp) {
    if (typeof actual !== 'string' || !wanted.test(actual)) yield line(path, actual, String(wanted))
  } else if (isAsymmetric(wanted)) {
    if (!wanted.asymmetricMatch(actual)) yield line(path, actual, String(wanted))
  } else if (Array.isArray(wanted)) yield* differencesOfArray(actual, wanted, path)
  else if (isPlain(wanted)) {
    const members = isObjectOrArray(actual) ? (actual as Record<string, unknown>) : {}
    // Without this, `{}` would match undefined.
    if (members !== actual && Object.keys(wanted).length === 0) yield line(path, actual, 'an object')
    for (const [name, value] of Object.entries(wanted)) {
      // The length of bytes is not their own.
      const own = Object.hasOwn(members, name) || ArrayBuffer.isView(members) ? members[name] : undefined
      yield* differences(own, value, path === '' ? name : `${path}.${name}`)
    }
  } else if (!isDeepStrictEqual(actual, wanted)) yield line(path, actual, show(wanted))
}

function* differencesOfArray(actual: unknown, wanted: readonly unknown[], path: string): Generator<string> {
  // Without this, `[]` would match any array.
  if (!Array.isArray(actual) || (wanted.length === 0 && actual.length > 0))
    yield line(path, actual, show(wanted))
  else {
    for (const [index, item] of wanted.entries()) {
      if (!actual.some((candidate) => matches(candidate, item)))
        yield `${at(path)}no item matches ${show(item)} (expected item ${index}) among ${show(actual)}`
    }
  }
}

interface Asymmetric {
  asymmetricMatch(value: unknown): boolean
}

const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof (value as Partial<Asymmetric> | null)?.asymmetricMatch === 'function'

const isPlain = (value: unknown): value is Record<string, unknown> =>
  isObjectOrArray(value) && !Array.isArray(value) && !ArrayBuffer.isView(value)

const at = (path: string): string => (path === '' ? '' : `${path}: `)

const line = (path: string, actual: unknown, wanted: string): string =>
  `${at(path)}${show(actual)}, expected ${wanted}`

/** Maximum length of a value in a message. */
const SHOWN_MAX = 100

const show = (value: unknown): string => quote(value, SHOWN_MAX)

/** Real milliseconds between the first two looks; they become less frequent, since hundreds may wait for a minute. */
const FIRST_LOOK_MS = 5
const LAST_LOOK_MS = 50

/** Looks until something is found. Returns `undefined` after `timeoutMs` by `now`, or when the signal aborts. */
export async function until<Found>(
  look: () => Found | undefined | Promise<Found | undefined>,
  {
    timeoutMs,
    signal,
    now = elapsedMs,
  }: { readonly timeoutMs: number; readonly signal?: AbortSignal; readonly now?: () => number },
): Promise<Found | undefined> {
  const end = now() + timeoutMs
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(LAST_LOOK_MS, waitMs * 1.1)) {
    const found = await look()
    if (found !== undefined) return found
    const left = end - now()
    if (left <= 0 || signal?.aborted) return undefined
    await sleep(Math.min(left, waitMs), signal && { signal })
  }
}
