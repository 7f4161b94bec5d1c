import { computed, signal } from '@preact/signals'
import type { Delivery } from '../types.ts'

/** Entries kept of one endpoint: what the server's log shows (DLV-07). */
const KEPT_PER_ENDPOINT = 50

/**
 * The delivery log of all endpoints, newest first. Entries come from the endpoints' logs (`addLog`) and from the live
 * stream (`applyChanges`); what the stream said is never older, so it wins over a log that was asked for before.
 */
export class DeliveryLog {
  readonly #entries = new Map<string, Delivery>()
  /** Ids in order of creation, oldest first: an arrival is one `push`. */
  #order: string[] = []
  readonly #perEndpoint = new Map<number, string[]>()
  readonly #changedAt = new Map<string, number>()
  #changes = 0
  readonly #version = signal(0)

  /** All entries, newest first. */
  readonly list = computed<readonly Delivery[]>(() => {
    this.#version.value
    const list: Delivery[] = []
    for (let at = this.#order.length - 1; at >= 0; at--) {
      const entry = this.#entries.get(this.#order[at] as string)
      if (entry) list.push(entry)
    }
    return list
  })

  /** Moves with every change. */
  get version(): number {
    return this.#version.value
  }

  get(id: string): Delivery | undefined {
    this.#version.value
    return this.#entries.get(id)
  }

  /** Take it before asking for a log, and hand it to `addLog`. */
  mark(): number {
    return this.#changes
  }

  /** What the stream brought, oldest change first. */
  applyChanges(changed: readonly Delivery[]): void {
    for (const entry of changed) {
      this.#changedAt.set(entry.id, ++this.#changes)
      if (!this.#entries.has(entry.id)) this.#append(entry)
      this.#entries.set(entry.id, entry)
    }
    this.#trim()
    this.#version.value++
  }

  /** The logs of some endpoints as the server has them, in place of what is known of these endpoints. */
  addLogs(logs: ReadonlyMap<number, readonly Delivery[]>, mark: number): void {
    const isNewer = (id: string) => (this.#changedAt.get(id) ?? 0) > mark
    for (const [endpointId, log] of logs) {
      const listed = new Set(log.map((entry) => entry.id))
      const known = this.#perEndpoint.get(endpointId) ?? []
      for (const id of known) {
        if (listed.has(id) || isNewer(id)) continue
        this.#entries.delete(id)
        this.#changedAt.delete(id)
      }
      for (const entry of log) {
        if (!isNewer(entry.id) || !this.#entries.has(entry.id)) this.#entries.set(entry.id, entry)
      }
      const arrivedSince = known.filter((id) => !listed.has(id) && isNewer(id))
      this.#perEndpoint.set(endpointId, [...log.map((entry) => entry.id).reverse(), ...arrivedSince])
    }
    this.#merge()
    this.#trim()
    this.#version.value++
  }

  forgetEndpoint(endpointId: number): void {
    for (const id of this.#perEndpoint.get(endpointId) ?? []) this.#entries.delete(id)
    this.#perEndpoint.delete(endpointId)
    this.#order = this.#order.filter((id) => this.#entries.has(id))
    this.#version.value++
  }

  clear(): void {
    this.#entries.clear()
    this.#order = []
    this.#perEndpoint.clear()
    this.#changedAt.clear()
    this.#version.value++
  }

  #append(entry: Delivery): void {
    this.#order.push(entry.id)
    const ids = this.#perEndpoint.get(entry.webhook_id)
    if (ids) ids.push(entry.id)
    else this.#perEndpoint.set(entry.webhook_id, [entry.id])
  }

  /** Merges the endpoints' logs by creation. Each stays in its own order, which is the server's. */
  #merge(): void {
    const created = new Map<string, number>()
    for (const [id, entry] of this.#entries) created.set(id, Date.parse(entry.created_at))
    const lanes = [...this.#perEndpoint.values()]
      .filter((ids) => ids.length > 0)
      .map((ids) => ({ ids, next: 0 }))
    const headAt = (lane: { ids: string[]; next: number }) => created.get(lane.ids[lane.next] ?? '') ?? 0
    const order: string[] = []
    while (lanes.length > 0) {
      const lane = lanes.reduce((best, other) => (headAt(other) < headAt(best) ? other : best))
      order.push(lane.ids[lane.next] as string)
      lane.next++
      if (lane.next === lane.ids.length) lanes.splice(lanes.indexOf(lane), 1)
    }
    this.#order = order
  }

  #trim(): void {
    const dropped = new Set<string>()
    for (const ids of this.#perEndpoint.values()) {
      if (ids.length <= KEPT_PER_ENDPOINT) continue
      for (const id of ids.splice(0, ids.length - KEPT_PER_ENDPOINT)) dropped.add(id)
    }
    if (dropped.size === 0) return
    for (const id of dropped) {
      this.#entries.delete(id)
      this.#changedAt.delete(id)
    }
    this.#order = this.#order.filter((id) => !dropped.has(id))
  }
}
