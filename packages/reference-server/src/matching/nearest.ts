import type { FormResponse } from '@formwire/contract'
import type { Delivery, JournalEntry } from '@formwire/contract/control'
import { differences, type MatchOf } from './match.ts'

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
  `${entry.attempts} ${entry.attempts === 1 ? 'attempt' : 'attempts'}, ${entry.next_attempt_at === null ? 'no further attempt' : `next at ${entry.next_attempt_at}`}`

export const responseSummary = ({ id, form_id, status, submitted_at }: FormResponse): string =>
  `response ${id} of form ${form_id}: ${status}, ${submitted_at ?? 'not submitted'}`
