import { LIMITS } from '@formwire/contract'
import type { Context } from '../context.ts'
import {
  type DeliveryDetail,
  type DeliveryEntry,
  type DeliveryService,
  type StreamFilter,
  writeDetail,
  writeEntry,
} from '../delivery/index.ts'
import type { DeliveryRecord } from '../domain/delivery.ts'
import { notFound, unprocessable } from '../domain/service-error.ts'
import { rateLimited } from '../policy/rate-limit.ts'
import { requireActive } from './endpoints.ts'
import { refuseUnknownFields } from './input.ts'

/** The delivery log. */
export function createDeliveries(context: Context, delivery: DeliveryService) {
  const style = context.settings.unspecified
  const view = (record: DeliveryRecord): DeliveryEntry => writeEntry(record, style)
  const find = (id: string): DeliveryRecord => {
    delivery.beforeRead()
    const found = context.state.deliveries.find(id, context.clock.now())
    if (!found) throw notFound()
    return found
  }

  const findPending = (id: string, what: string): DeliveryRecord => {
    const found = find(id)
    if (found.status === 'pending') return found
    throw unprocessable(`The delivery is ${found.status}: only a pending delivery can be ${what}.`)
  }

  return {
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
      const endpoint = context.state.endpoints.get(endpointId)
      if (!endpoint) throw notFound()
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
    /** Returns the id of the latest event of the stream. A stream that resumes after it has every later change. */
    lastEventId: (): string => delivery.stream.lastEventId,
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
