import { signal } from '@preact/signals'
import { appUrl, authorization, CallError, listAll } from '../api.ts'
import { Batch } from '../live/batch.ts'
import { Connection, type ConnectionState } from '../live/connection.ts'
import type { StreamEvent } from '../live/event-stream.ts'
import { watchWakefulness } from '../live/wakefulness.ts'
import type { Delivery, Endpoint } from '../types.ts'
import { clearCatalog, endpointById, endpoints, forms, keys, users, workspaces } from './catalog.ts'
import { clock } from './clock.ts'
import { DeliveryLog } from './delivery-log.ts'
import { pooled } from './pool.ts'
import { resource } from './resource.ts'
import { forgetSecrets } from './secrets.ts'
import { signOut, token } from './session.ts'

export const deliveryLog = new DeliveryLog()

/** State of the live stream. */
export const streamState = signal<ConnectionState>('off')

/** Moves whenever deliveries changed, so that a view can look again at what depends on them. */
export const deliveryPulse = signal(0)

const LOG_LANES = 4

const pathOf = (endpoint: Endpoint): string =>
  `forms/${encodeURIComponent(endpoint.form_id)}/webhooks/${endpoint.id}/deliveries`

async function readLog(endpoint: Endpoint): Promise<[number, Delivery[]]> {
  try {
    return [endpoint.id, await listAll<Delivery>(pathOf(endpoint))]
  } catch (error) {
    // Deleted since it was listed: an empty log, not a broken view.
    if (error instanceof CallError && error.status === 404) return [endpoint.id, []]
    throw error
  }
}

/** Endpoints that were asked for because a delivery named them: once each, since one may be gone again by then. */
const askedFor = new Set<number>()

/** Another program may have made the endpoint of a delivery, and its form. */
function learnEndpoints(entries: readonly Delivery[]): void {
  if (!endpoints.data.peek()) return
  const unknown = entries.filter(({ webhook_id: id }) => !endpointById.peek().has(id) && !askedFor.has(id))
  for (const { webhook_id: id } of unknown) askedFor.add(id)
  if (unknown.length > 0) void endpoints.refresh()
}

const changes = new Batch<Delivery>((entries) => {
  deliveryLog.applyChanges(entries)
  deliveryPulse.value++
  learnEndpoints(entries)
})

/** The log of an endpoint goes with it (HOOK-03), whoever deleted it. */
function forgetDeleted(): void {
  let before: readonly Endpoint[] = []
  endpoints.data.subscribe((now = []) => {
    const present = new Set(now.map(({ id }) => id))
    for (const { id } of before) if (!present.has(id)) deliveryLog.forgetEndpoint(id)
    before = now
  })
}

/** Loads the log of every endpoint. */
export const logs = resource(async () => {
  const known = await endpoints.fresh()
  // What was received by now is older than the logs that are asked for next.
  changes.flushNow()
  const mark = deliveryLog.mark()
  const read = await pooled(known, LOG_LANES, readLog)
  deliveryLog.addLogs(new Map(read), mark)
  return true
})

/** Loads the log of one endpoint again. */
export async function refreshLog(endpoint: Endpoint): Promise<void> {
  const mark = deliveryLog.mark()
  const [id, log] = await readLog(endpoint)
  deliveryLog.addLogs(new Map([[id, log]]), mark)
}

/** Everything again: after a reset, and when the stream lost its place. */
export function reloadAll(): void {
  askedFor.clear()
  clearCatalog()
  deliveryLog.clear()
  for (const one of [forms, workspaces, users, keys, clock]) void one.refresh()
  void logs.refresh()
  deliveryPulse.value++
}

/**
 * After a gap the stream goes on with what it still has, entries whose beginning was lost among it. It is passed over,
 * and the logs are asked for once it is read: they are newer than all of it.
 */
const BACKLOG_MS = 400
/** A log that overruns this reader leaves gap after gap: the logs are read again no more often than this. */
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

function onEvents(events: StreamEvent[]): void {
  const entries: Delivery[] = []
  for (const event of events) {
    if (event.type === 'delivery') {
      if (recovering === undefined) entries.push(JSON.parse(event.data) as Delivery)
    } else if (event.type === 'gap') {
      entries.length = 0
      recoverFromGap()
    } else if (event.type === 'reset') {
      // What came before it belongs to a state that is gone.
      entries.length = 0
      changes.drop()
      forgetSecrets()
      reloadAll()
    }
  }
  changes.add(entries)
}

/** Follows the live stream as long as there is a token. */
export function followDeliveries(): void {
  forgetDeleted()
  const connection = new Connection({
    url: appUrl('deliveries/stream'),
    headers: authorization,
    onEvents,
    onState: (state) => {
      streamState.value = state
    },
    onRefused: () => signOut(true),
  })
  watchWakefulness({
    sleep: () => connection.close(),
    wake: () => {
      if (token.peek() !== null) connection.open()
    },
  })
  token.subscribe((present) => {
    if (present === null) connection.close()
    else {
      // The stream first: what changes while the logs load is not missed.
      connection.open()
      reloadAll()
    }
  })
}
