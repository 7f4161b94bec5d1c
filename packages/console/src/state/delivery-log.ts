import type { Delivery } from '@formwire/contract/control'
import { computed, signal } from '@preact/signals'

/** Number of deliveries kept per endpoint, as in the server's log (DLV-07). */
export const KEPT_PER_ENDPOINT = 50

/** How long the server keeps a finished delivery (DLV-09). */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/**
 * The delivery log of all endpoints, newest first. Deliveries come from the logs of the endpoints (`addLogs`) and from the
 * live stream (`applyChanges`). The stream is never older, so it takes precedence over a log that was requested before.
 */
export class DeliveryLog {
  /** In order of creation, oldest first, so that a new delivery is added at the end. */
  #deliveries = new Map<string, Delivery>()
  readonly #perEndpoint = new Map<number, string[]>()
  readonly #changedAt = new Map<string, number>()
  /** Endpoints that were deleted. Their last changes can arrive after that. */
  readonly #removed = new Set<number>()
  #changes = 0
  readonly #version = signal(0)

  /** All deliveries, newest first. */
  readonly list = computed<readonly Delivery[]>(() => {
    this.#version.value
    return [...this.#deliveries.values()].reverse()
  })

  get(id: string): Delivery | undefined {
    this.#version.value
    return this.#deliveries.get(id)
  }

  /** Returns the log of an endpoint, newest first. */
  ofEndpoint(endpointId: number): readonly Delivery[] {
    this.#version.value
    const ids = this.#perEndpoint.get(endpointId) ?? []
    return ids.flatMap((id) => this.#deliveries.get(id) ?? []).reverse()
  }

  /** Returns a mark to take before requesting logs and to pass to `addLogs`. */
  mark(): number {
    return this.#changes
  }

  /** Applies changes from the stream, oldest first. */
  applyChanges(changed: readonly Delivery[]): void {
    for (const delivery of changed) {
      if (this.#removed.has(delivery.webhook_id)) continue
      this.#changedAt.set(delivery.id, ++this.#changes)
      if (!this.#deliveries.has(delivery.id)) this.#append(delivery)
      this.#deliveries.set(delivery.id, delivery)
    }
    this.#trim()
    this.#version.value++
  }

  /** Replaces the logs of some endpoints with those of the server, except for changes since the mark. */
  addLogs(logs: ReadonlyMap<number, readonly Delivery[]>, mark: number): void {
    const isNewer = (id: string) => (this.#changedAt.get(id) ?? 0) > mark
    for (const [endpointId, log] of logs) {
      if (this.#removed.has(endpointId)) continue
      const listed = new Set(log.map((delivery) => delivery.id))
      const known = this.#perEndpoint.get(endpointId) ?? []
      for (const id of known) {
        if (listed.has(id) || isNewer(id)) continue
        this.#deliveries.delete(id)
        this.#changedAt.delete(id)
      }
      for (const delivery of log) {
        if (!isNewer(delivery.id) || !this.#deliveries.has(delivery.id))
          this.#deliveries.set(delivery.id, delivery)
      }
      const arrivedSince = known.filter((id) => !listed.has(id) && isNewer(id))
      this.#perEndpoint.set(endpointId, [...log.map((delivery) => delivery.id).reverse(), ...arrivedSince])
    }
    this.#sort()
    this.#trim()
    this.#version.value++
  }

  /** Removes the log of an endpoint that was deleted, for good. */
  removeEndpoint(endpointId: number): void {
    this.#removed.add(endpointId)
    this.#drop(new Set(this.#perEndpoint.get(endpointId)))
    this.#perEndpoint.delete(endpointId)
    this.#version.value++
  }

  /** Removes the finished deliveries that the server has deleted by this instant (DLV-09). */
  removeExpired(nowMs: number): void {
    const expired = new Set<string>()
    for (const [id, { status, created_at: createdAt }] of this.#deliveries)
      if (status !== 'pending' && nowMs - Date.parse(createdAt) > KEPT_MS) expired.add(id)
    if (expired.size === 0) return
    this.#drop(expired)
    this.#version.value++
  }

  clear(): void {
    this.#deliveries.clear()
    this.#perEndpoint.clear()
    this.#changedAt.clear()
    this.#removed.clear()
    this.#version.value++
  }

  #append(delivery: Delivery): void {
    const ids = this.#perEndpoint.get(delivery.webhook_id)
    if (ids) ids.push(delivery.id)
    else this.#perEndpoint.set(delivery.webhook_id, [delivery.id])
  }

  /**
   * Sorts by creation time, keeping the server's order within each endpoint: what is earlier than its predecessor there counts as of
   * the same time. Of the same instant, the deliveries of a response come together.
   */
  #sort(): void {
    const dated: { delivery: Delivery; at: number; response: number }[] = []
    for (const ids of this.#perEndpoint.values()) {
      let [at, response] = [0, 0]
      for (const id of ids) {
        const delivery = this.#deliveries.get(id)
        if (!delivery) continue
        const createdAt = Date.parse(delivery.created_at)
        response =
          createdAt > at
            ? delivery.response_id
            : createdAt < at
              ? response
              : Math.max(response, delivery.response_id)
        at = Math.max(at, createdAt)
        dated.push({ delivery, at, response })
      }
    }
    dated.sort((one, other) => one.at - other.at || one.response - other.response)
    this.#deliveries = new Map(dated.map(({ delivery }) => [delivery.id, delivery]))
  }

  #trim(): void {
    const dropped = new Set<string>()
    for (const ids of this.#perEndpoint.values())
      for (const id of ids.slice(0, Math.max(0, ids.length - KEPT_PER_ENDPOINT))) dropped.add(id)
    if (dropped.size > 0) this.#drop(dropped)
  }

  #drop(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      this.#deliveries.delete(id)
      this.#changedAt.delete(id)
    }
    for (const [endpointId, log] of this.#perEndpoint)
      this.#perEndpoint.set(
        endpointId,
        log.filter((id) => !ids.has(id)),
      )
  }
}
