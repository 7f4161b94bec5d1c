import type { AttemptError, Delivery } from '@formwire/contract/control'
import { KEPT_PER_ENDPOINT } from '../../state/delivery-log.ts'

/** Searchable text of each delivery, with the endpoint URL that it was made for. */
const texts = new WeakMap<Delivery, { readonly url: string; readonly text: string }>()

/**
 * Returns what the search of the log covers, in lower case: id, event, status, HTTP status, error classes of all attempts, endpoint URL,
 * response, payload, response body and note.
 */
function textOf(delivery: Delivery, url: string): string {
  const known = texts.get(delivery)
  if (known?.url === url) return known.text
  const {
    id,
    event,
    status,
    http_status: http,
    response_id: response,
    receiver_answer: body,
    note,
  } = delivery
  const about = [
    id,
    event,
    status,
    http,
    ...errorsOf(delivery),
    url,
    response === 0 ? 'example' : `#${response}`,
  ]
  const text = [...about, JSON.stringify(delivery.payload), body, note].join('\n').toLowerCase()
  texts.set(delivery, { url, text })
  return text
}

/** Spans of time before now that can be chosen, by the value of the URL parameter `since`. */
export const SPANS: Readonly<Record<string, { readonly ms: number; readonly text: string }>> = {
  '15m': { ms: 15 * 60_000, text: 'Last 15 minutes' },
  '1h': { ms: 3_600_000, text: 'Last hour' },
  '24h': { ms: 86_400_000, text: 'Last 24 hours' },
  '7d': { ms: 7 * 86_400_000, text: 'Last 7 days' },
}

/** The saved views of the log: the value of the URL parameter `status`, the name, and what it has. */
export const VIEWS = [
  ['', 'All', `The latest ${KEPT_PER_ENDPOINT} of each endpoint`],
  ['pending', 'Pending', 'With an attempt to come'],
  ['failed', 'Failed', 'Failed for good'],
] as const

export type ViewCounts = Readonly<Record<(typeof VIEWS)[number][0], number>>

export const countViews = (list: readonly Delivery[]): ViewCounts =>
  Object.fromEntries(
    VIEWS.map(([status]) => [status, list.filter((one) => status === '' || one.status === status).length]),
  ) as ViewCounts

/**
 * The filters of the log, as the URL has them; `''` means no filter. `result` is what any
 * attempt ended with: a status class (`2xx` … `5xx`), `none` without a response, an error class (`timeout`, `refused`, `http_503` …),
 * or `failed` for any of them. `since` is one of `SPANS`, and `ids` a list of deliveries, separated by commas.
 */
const NAMES = ['status', 'result', 'webhook', 'form', 'since', 'ids', 'q'] as const

export type Filter = Readonly<Record<(typeof NAMES)[number], string>>

export const filterOf = (query: ReadonlyMap<string, string>): Filter =>
  Object.fromEntries(NAMES.map((name) => [name, query.get(name)?.trim() ?? ''])) as Filter

/** Returns why attempts of a delivery failed, oldest first. */
export function errorsOf({ earlier_errors: earlier, error }: Delivery): readonly AttemptError[] {
  return error === null ? earlier : [...earlier, error]
}

function hasResult(delivery: Delivery, result: string): boolean {
  const errors = errorsOf(delivery)
  if (result === 'failed') return errors.length > 0
  if (result === 'none') return errors.some((error) => !error.startsWith('http_'))
  const digit = /^([1-5])xx$/.exec(result)?.[1]
  if (digit === undefined) return errors.some((error) => error === result)
  return (
    errors.some((error) => error.startsWith(`http_${digit}`)) ||
    String(delivery.http_status ?? '').startsWith(digit)
  )
}

/**
 * Returns the deliveries that match all filters, in the same order.
 *
 * @param now By the server's clock, for `since`.
 * @param urlOf Returns the URL of an endpoint, `''` if it is unknown.
 */
export function filterDeliveries(
  list: readonly Delivery[],
  filter: Filter,
  now: number,
  urlOf: (endpointId: number) => string,
): readonly Delivery[] {
  if (NAMES.every((name) => filter[name] === '')) return list
  const { status, result, webhook, form } = filter
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean)
  const span = SPANS[filter.since]
  const ids = filter.ids === '' ? undefined : new Set(filter.ids.split(','))
  return list.filter((delivery) => {
    if (ids?.has(delivery.id) === false) return false
    if (status !== '' && delivery.status !== status) return false
    if (result !== '' && !hasResult(delivery, result)) return false
    if (webhook !== '' && String(delivery.webhook_id) !== webhook) return false
    if (form !== '' && delivery.form_id !== form) return false
    if (span && Date.parse(delivery.created_at) < now - span.ms) return false
    if (words.length === 0) return true
    const text = textOf(delivery, urlOf(delivery.webhook_id))
    return words.every((word) => text.includes(word))
  })
}
