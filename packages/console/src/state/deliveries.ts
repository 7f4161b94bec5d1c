import type { Delivery } from '@formwire/contract/control'
import type { StreamEvent } from '@formwire/internal/server-sent-events'
import { signal } from '@preact/signals'
import { appUrl, authorization, responseCount } from '../api.ts'
import { Batch } from '../live/batch.ts'
import { Connection, type ConnectionState } from '../live/connection.ts'
import { watchPageActivity } from '../live/page-activity.ts'
import { signOut, token } from '../session.ts'
import { catalog, catalogPart, type Endpoint, endpointById, endpoints, formById, forms } from './catalog.ts'
import { clock } from './clock.ts'
import { DeliveryLog } from './delivery-log.ts'
import { resource } from './resource.ts'

export const deliveryLog = new DeliveryLog()

/** State of the live stream. */
export const streamState = signal<ConnectionState>('off')

/** Changes with every change of a delivery, for views that depend on deliveries. */
export const deliveryPulse = signal(0)

/** Unknown endpoints of deliveries that the list was refreshed for. Once each, because an endpoint may be deleted by then. */
const lookedUp = new Set<number>()

/** Time until a failed reading of unknown endpoints is repeated. */
const LOOK_UP_AGAIN_MS = 2_000

/**
 * Refreshes the endpoints if deliveries have an unknown one, which another program created. If it is not there after that, it
 * has been deleted, and so is its log (HOOK-03).
 */
async function lookUpEndpoints(deliveries: readonly Delivery[]): Promise<void> {
  if (!endpoints.data.peek()) return
  // Their forms may be new, too.
  const news = deliveries.filter(
    (one) => !endpointById.peek().has(one.webhook_id) || !formById.peek().has(one.form_id),
  )
  const unknown = [...new Set(news.map((one) => one.webhook_id))].filter((id) => !lookedUp.has(id))
  if (unknown.length === 0) return
  for (const id of unknown) lookedUp.add(id)
  await Promise.all([endpoints.refresh(), forms.refresh()])
  if (endpoints.error.peek() !== undefined || forms.error.peek() !== undefined) {
    for (const id of unknown) lookedUp.delete(id)
    setTimeout(() => void lookUpEndpoints(deliveries), LOOK_UP_AGAIN_MS)
    return
  }
  // Not those that were unknown before a reset, after which ids begin again.
  for (const id of unknown)
    if (lookedUp.has(id) && !endpointById.peek().has(id)) deliveryLog.removeEndpoint(id)
}

const changes = new Batch<Delivery>((deliveries) => {
  deliveryLog.applyChanges(deliveries)
  deliveryPulse.value++
  void lookUpEndpoints(deliveries)
})

/** Removes the log of each endpoint that was deleted (HOOK-03), also by another program. */
function removeLogsOfDeleted(): void {
  let before: readonly Endpoint[] = []
  endpoints.data.subscribe((now) => {
    // What was cleared is not deleted: the list is loaded again, and so are the logs.
    const present = new Set((now ?? before).map(({ id }) => id))
    for (const { id } of before) if (!present.has(id)) deliveryLog.removeEndpoint(id)
    before = now ?? []
  })
}

/** The logs of all endpoints; its data is the id of the event to resume the stream after. Loads the endpoints too. */
export const logs = resource(async () => {
  // Events received until now are older than the logs requested next.
  changes.flushNow()
  const mark = deliveryLog.mark()
  const [deliveries, lastEventId] = await Promise.all([
    catalogPart('deliveries'),
    catalogPart('last_event_id'),
    endpoints.freshen(),
  ])
  // An endpoint without deliveries has an empty log.
  const byEndpoint = new Map<number, Delivery[]>((endpoints.data.peek() ?? []).map(({ id }) => [id, []]))
  for (const delivery of deliveries) {
    const log = byEndpoint.get(delivery.webhook_id)
    if (log) log.push(delivery)
    else byEndpoint.set(delivery.webhook_id, [delivery])
  }
  deliveryLog.addLogs(byEndpoint, mark)
  return lastEventId
})

/** Reloads everything, after signing in or after the state of the server has been replaced. */
export function startOver(): void {
  lookedUp.clear()
  for (const one of [...catalog, logs]) one.clear()
  deliveryLog.clear()
  // In one turn, so that they are one request.
  for (const one of [...catalog, clock, logs]) void one.refresh()
  deliveryPulse.value++
}

/**
 * After a gap the stream continues with the events that it still has. They are skipped, and the logs are requested once
 * this backlog has been read, because they are newer.
 */
const BACKLOG_MS = 400
/** Minimum time between two reloads after gaps, for a stream that is faster than this page. */
const RECOVERY_MS = 3_000
let recovering: ReturnType<typeof setTimeout> | undefined
let recoveredAt = Number.NEGATIVE_INFINITY

function recoverFromGap(): void {
  changes.drop()
  if (recovering !== undefined) return
  const wait = Math.max(BACKLOG_MS, recoveredAt + RECOVERY_MS - performance.now())
  recovering = setTimeout(() => {
    recovering = undefined
    recoveredAt = performance.now()
    void logs.refresh()
  }, wait)
}

function onEvents(events: readonly StreamEvent[]): void {
  const deliveries: Delivery[] = []
  for (const event of events) {
    if (event.type === 'delivery') {
      if (recovering === undefined) deliveries.push(JSON.parse(event.data) as Delivery)
    } else if (event.type === 'gap') {
      deliveries.length = 0
      recoverFromGap()
    } else if (event.type === 'reset') {
      // Earlier events belong to the state before the reset.
      deliveries.length = 0
      changes.drop()
      startOver()
    }
  }
  changes.add(deliveries)
}

/** Follows the live stream while there is a token. */
export function followDeliveries(): void {
  removeLogsOfDeleted()
  // The stream says nothing of what is past the retention period.
  clock.data.subscribe((state) => state && deliveryLog.removeExpired(state.now))
  const connection = new Connection({
    url: appUrl('deliveries/stream'),
    headers: authorization,
    onEvents,
    onState: (state) => {
      streamState.value = state
      if (state !== 'live') return
      responseCount.value++
      if (clock.error.peek() !== undefined) void clock.refresh()
      if (logs.data.peek() === undefined || logs.error.peek() !== undefined) void logs.freshen()
    },
    onRefused: () => signOut('token'),
  })
  watchPageActivity({
    sleep: () => connection.close(),
    wake: () => {
      if (token.peek() !== null) connection.open()
    },
  })
  token.subscribe((present) => {
    if (present === null) connection.close()
    else {
      streamState.value = 'connecting'
      startOver()
      // Resumes from the logs, so that no change between the two is missed.
      void logs.freshen().then(() => {
        if (token.peek() === present) connection.open(logs.data.peek())
      })
    }
  })
}
