import { LIMITS, type WebhookEvent } from '@formwire/contract'
import type { DeliveryPage, DeliveryState } from '@formwire/contract/control'
import { explainError } from '@formwire/internal/attempt-errors'
import type { Context } from '../context.ts'
import {
  type DeliveryDetail,
  type DeliveryEntry,
  type DeliveryService,
  rawBody,
  type StreamFilter,
  writeDetail,
  writeEntry,
  writeListed,
} from '../delivery/index.ts'
import { type DeliveryRecord, isExpired, sequenceOfId } from '../domain/delivery.ts'
import { invalid, notFound, orNotFound, unprocessable } from '../domain/service-error.ts'
import { quote } from '../known-names.ts'
import { rateLimited } from '../policy/rate-limit.ts'
import { countOf, DELIVERY_STATES, findReplays } from './delivery-log.ts'
import { requireActive } from './endpoints.ts'
import { refuseUnknownFields } from './input.ts'
import { textSearch } from './text-search.ts'

/** What a page of deliveries has. */
export interface DeliverySearch {
  formId?: string | undefined
  endpointId?: number | undefined
  state?: DeliveryState | undefined
  ids?: readonly string[] | undefined
  /** Part of an id, a URL, an outcome or the text of an answer, in upper or lower case. */
  text?: string | undefined
  /** `next_cursor` of the page before. @default the first page */
  cursor?: string | undefined
  /** @default 100 */
  limit?: number | undefined
}

/** The delivery log. */
export function createDeliveries(context: Context, delivery: DeliveryService) {
  const style = context.settings.unspecified
  const view = (record: DeliveryRecord): DeliveryEntry => writeEntry(record, style)
  const find = (id: string): DeliveryRecord => {
    delivery.beforeRead()
    return orNotFound(context.state.deliveries.find(id, context.clock.now()))
  }

  const findPending = (id: string, what: string): DeliveryRecord => {
    const found = find(id)
    if (found.status === 'pending') return found
    throw unprocessable(`The delivery is ${found.status}: only a pending delivery can be ${what}.`)
  }

  /** Returns whether a delivery has a text, in lower or upper case. */
  const finder = (text: string) => {
    const search = textSearch(text)
    return (delivery: DeliveryRecord): boolean => {
      const { id, formId, endpointId, responseId, event, status, note, attempts } = delivery
      const { error = null, httpStatus = null, receiverAnswer = '' } = attempts.at(-1) ?? {}
      const url = context.state.endpoints.get(endpointId)?.url
      const outcome = `${httpStatus ?? error ?? ''} ${receiverAnswer}`
      return (
        search.isInTexts([id, formId, `#${responseId}`, url, event, status, note, outcome]) ||
        search.isInTexts([explainError(error), ...attempts.map((attempt) => attempt.error)]) ||
        // That of a snapshot may be any JSON object.
        search.isInJson(rawBody(delivery) ?? '', ({ response }: Partial<WebhookEvent>) =>
          [response?.answers ?? []].flat().map((answer) => answer?.text),
        )
      )
    }
  }

  return {
    /**
     * Returns a page of the deliveries of all endpoints that are kept, newest first, without payloads. Counts those in any
     * state. Throws 422 for a cursor that no page had.
     */
    search(of: DeliverySearch = {}): DeliveryPage {
      refuseUnknownFields(of, ['formId', 'endpointId', 'state', 'ids', 'text', 'cursor', 'limit'])
      delivery.beforeRead()
      const { formId, endpointId, state, text, cursor, limit = 100 } = of
      const { deliveries } = context.state
      const before = cursor === undefined ? Number.POSITIVE_INFINITY : sequenceOfId(cursor)
      if (before === undefined || (cursor !== undefined && before > deliveries.lastId))
        throw invalid('cursor', `cursor must be the next_cursor of a page, got ${quote(cursor ?? '')}.`)
      const now = context.clock.now()
      const ids = of.ids && new Set(of.ids)
      const isFound = text === undefined ? undefined : finder(text)
      const kept = deliveries.all().filter((one) => !isExpired(one, now))
      const found = kept
        .filter(
          (one) =>
            (endpointId === undefined || one.endpointId === endpointId) &&
            (formId === undefined || one.formId === formId) &&
            ids?.has(one.id) !== false &&
            isFound?.(one) !== false,
        )
        .reverse()
      const listed = state === undefined ? found : found.filter(DELIVERY_STATES[state])
      const rest = listed.filter(({ sequence }) => sequence < before)
      const page = rest.slice(0, limit)
      const { isReplay, isReplayed } = findReplays(kept)
      return {
        data: page.map((one) => ({
          ...writeListed(one, style),
          is_replay: isReplay(one),
          is_replayed: isReplayed(one),
        })),
        meta: {
          next_cursor: rest.length > limit ? (page.at(-1)?.id ?? null) : null,
          counts: {
            all: found.length,
            retrying: countOf(found, 'retrying'),
            failed: countOf(found, 'failed'),
          },
        },
      }
    },
    /** Returns the latest 50 deliveries of an endpoint, newest first (DLV-07, DLV-09). */
    list(formId: string, endpointId: number): DeliveryEntry[] {
      delivery.beforeRead()
      const endpoint = context.state.endpoints.get(endpointId)
      if (endpoint?.formId !== formId) throw notFound()
      return context.state.deliveries.log(endpointId, context.clock.now()).map(view)
    },
    /** Yields the latest deliveries of all endpoints, at most `count` of each, newest first, in parts. */
    *logs(count: number): Generator<DeliveryEntry[]> {
      delivery.beforeRead()
      const { deliveries, endpoints } = context.state
      const now = context.clock.now()
      const records = [...endpoints.all()]
        .flatMap(({ id }) => deliveries.log(id, now).slice(0, count))
        .sort((a, b) => b.sequence - a.sequence)
      for (let at = 0; at < records.length; at += LIMITS.deliveryLogEntries)
        yield records.slice(at, at + LIMITS.deliveryLogEntries).map(view)
    },
    /** Returns the deliveries of a response that are kept, newest first. */
    ofResponse(formId: string, responseId: number): DeliveryEntry[] {
      delivery.beforeRead()
      const { deliveries, endpoints } = context.state
      const now = context.clock.now()
      return endpoints
        .ofForm(formId)
        .flatMap(({ id }) => deliveries.ofEndpoint(id, now))
        .filter((record) => record.responseId === responseId)
        .sort((a, b) => b.sequence - a.sequence)
        .map(view)
    },
    /** Returns a delivery with its raw body and its attempts, also one outside the latest 50. */
    get: (id: string): DeliveryDetail => writeDetail(find(id), style),
    /** Queues a copy as a new delivery with a new id (DLV-08). Throws 422 while its endpoint is paused. */
    replay(id: string): DeliveryEntry {
      const { endpointId, event, responseId, body } = find(id)
      const endpoint = orNotFound(context.state.endpoints.get(endpointId))
      requireActive(endpoint)
      if (body === null)
        throw unprocessable('The response of this delivery was deleted, so there is nothing to send.')
      return view(delivery.engine.enqueue(endpoint, { event, responseId, body }))
    },
    /** Starts the next attempt of a pending delivery now, instead of when it is due. Throws 422 for one that is not pending. */
    retry: (id: string): DeliveryEntry =>
      view(delivery.engine.retryNow(findPending(id, 'retried; replay this one'))),
    /** Fails a pending delivery. An attempt in flight may still deliver it. Throws 422 for one that is not pending. */
    cancel: (id: string): DeliveryEntry => view(delivery.engine.cancel(findPending(id, 'cancelled'))),
    /** Streams every change of a delivery as server-sent events; see `DeliveryStream`. Throws 429 when it has too many subscribers. */
    stream(
      filter: StreamFilter = {},
      options: { lastEventId?: string | undefined; signal: AbortSignal },
    ): AsyncIterable<Uint8Array> {
      refuseUnknownFields(filter, ['formId', 'endpointId'])
      refuseUnknownFields(options, ['lastEventId', 'signal'])
      const { lastEventId, signal } = options
      if (delivery.stream.full) {
        throw rateLimited(
          `The delivery stream has too many clients; close one or wait ${LIMITS.retryAfterSeconds} seconds.`,
        )
      }
      return delivery.stream.subscribe(filter, lastEventId, signal)
    },
  }
}
