import type { FormResponse } from '@formwire/contract'
import type { Delivery, JournalEntry } from '@formwire/contract/control'

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
