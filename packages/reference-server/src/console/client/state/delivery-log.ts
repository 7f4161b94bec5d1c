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
    for (const [endpointId, log] of logs) {
      const listed = new Set(log.map((entry) => entry.id))
      for (const id of this.#perEndpoint.get(endpointId) ?? []) {
        const isNewer = (this.#changedAt.get(id) ?? 0) > mark
        if (!listed.has(id) && !isNewer) this.#entries.delete(id)
      }
      for (const entry of log) {
        const isNewer = (this.#changedAt.get(entry.id) ?? 0) > mark
        if (!isNewer || !this.#entries.has(entry.id)) this.#entries.set(entry.id, entry)
      }
    }
    this.#sort(logs)
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

  /** Orders by creation; within one instant an endpoint's own log decides, then the order so far. */
  #sort(logs: ReadonlyMap<number, readonly Delivery[]>): void {
    const place = new Map(this.#order.map((id, index) => [id, index]))
    for (const log of logs.values()) {
      const base = this.#order.length
      log.forEach((entry, index) => {
        if (!place.has(entry.id)) place.set(entry.id, base + log.length - index)
      })
    }
    const created = new Map<string, number>()
    for (const [id, entry] of this.#entries) created.set(id, Date.parse(entry.created_at))
    const sorted = [...this.#entries.values()].sort(
      (a, b) =>
        (created.get(a.id) ?? 0) - (created.get(b.id) ?? 0) ||
        (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0),
    )
    this.#order = []
    this.#perEndpoint.clear()
    for (const entry of sorted) this.#append(entry)
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
