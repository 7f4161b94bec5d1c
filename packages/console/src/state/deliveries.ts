import type { Delivery, DeliveryPage, ListedDelivery } from '@formwire/contract/control'
import type { StreamEvent } from '@formwire/internal/server-sent-events'
import { computed, signal } from '@preact/signals'
import { appUrl, authorization, list, responseCount } from '../api.ts'
import { Connection, type ConnectionState } from '../live/connection.ts'
import { watchPageActivity } from '../live/page-activity.ts'
import { signOut, token } from '../session.ts'
import { catalog, endpoints } from './catalog.ts'
import { clock } from './clock.ts'
import { resource } from './resource.ts'

export type { ListedDelivery }

/** A delivery without what is sent. */
export type Logged = Omit<Delivery, 'payload'>

/** State of the live stream. */
export const streamState = signal<ConnectionState>('off')

/** Changes with every change of a delivery, for views that depend on deliveries. */
export const deliveryPulse = signal(0)

/** As many as the server returns at once. */
const MOST = 1_000

/** Returns the newest deliveries that match a query, page by page. */
async function load(query: string, atMost = Number.POSITIVE_INFINITY): Promise<DeliveryPage> {
  const data: ListedDelivery[] = []
  for (let cursor: string | null = null; ; ) {
    const page = new URLSearchParams(query)
    page.set('limit', String(Math.min(MOST, atMost - data.length)))
    if (cursor) page.set('cursor', cursor)
    const { data: more, meta } = (await list<ListedDelivery>(`deliveries?${page}`)) as unknown as DeliveryPage
    data.push(...more)
    cursor = meta.next_cursor
    if (cursor === null || data.length >= atMost) return { data, meta }
  }
}

/** Returns the failed deliveries that match a query and that no later one repeats, oldest first. @throws CallError */
export async function failedDeliveries(query: string): Promise<readonly ListedDelivery[]> {
  const { data } = await load(`${query}&state=failed`)
  return data.filter((one) => !one.is_replayed).reverse()
}

/** As many ids as fit into a URL that servers accept. */
export const MOST_IDS = 400

/** Returns deliveries by their ids, those that still exist. @throws CallError */
export async function deliveriesOf(ids: readonly string[]): Promise<readonly Logged[]> {
  if (ids.length === 0) return []
  const { data } = await load(`ids=${ids.slice(0, MOST_IDS)}`)
  return [...data, ...(await deliveriesOf(ids.slice(MOST_IDS)))]
}

/** What the open view shows of the log: filters and text as they were chosen, the query of both, and how many at most. */
let wanted = { filters: '', text: '', query: '', limit: 1 }
export const log = resource(async () => {
  for (;;) {
    const of = wanted
    const loaded = await load(of.query, of.limit)
    // The view may have other filters by now.
    if (of === wanted) return { ...loaded, ...of }
  }
})

/** Sets what `log` reads next. */
export function showLog(of: typeof wanted): void {
  wanted = of
}

/** Least time between two readings of deliveries while they arrive. */
export const LIVE_MS = 500

/** The deliveries that have an attempt ahead, the newest 5,000: they are read again with every change. */
export const pending = resource(async () => (await load('state=pending', 5 * MOST)).data)

/** How many deliveries the server keeps, by what they have come to. */
export const totals = computed(() => {
  const sum = { delivered: 0, pending: 0, retrying: 0, failed: 0 }
  for (const { log: of } of endpoints.data.value ?? [])
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += of[name]
  return { ...sum, all: sum.delivered + sum.pending + sum.failed }
})

/** Reloads everything, after signing in or after the state of the server has been replaced. */
export function startOver(): void {
  for (const one of [...catalog, log, pending]) one.clear()
  // In one turn, so that they are one request. Views read the deliveries that they show.
  for (const one of [...catalog, clock]) void one.refresh()
  deliveryPulse.value++
}

function onEvents(events: readonly StreamEvent[]): void {
  if (events.some(({ type }) => type === 'reset')) startOver()
  else deliveryPulse.value++
}

/** Follows the live stream while there is a token. */
export function followDeliveries(): void {
  const connection = new Connection({
    url: appUrl('deliveries/stream'),
    headers: authorization,
    onEvents,
    onState: (state) => {
      streamState.value = state
      if (state !== 'live') return
      responseCount.value++
      if (clock.error.peek() !== undefined) void clock.refresh()
      // What changed before the stream began is read again.
      deliveryPulse.value++
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
      connection.open()
    }
  })
}
