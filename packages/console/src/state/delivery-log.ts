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
  /** The log of each endpoint in the server's order, oldest first. */
  readonly #logs = new Map<number, readonly Delivery[]>()
  /** The number of the change of the stream that each delivery is of. */
  readonly #changedAt = new WeakMap<Delivery, number>()
  /** The number of the change that each delivery arrived with. Those of the logs have none. */
  readonly #arrivedAt = new WeakMap<Delivery, number>()
  /** Endpoints that were deleted. Their last changes can arrive after that. */
  readonly #removed = new Set<number>()
  #changes = 0
  readonly #version = signal(0)

  /** All deliveries, newest first. */
  readonly list = computed<readonly Delivery[]>(() => {
    this.#version.value
    return this.#sorted().reverse()
  })
  readonly #byId = computed(() => new Map(this.list.value.map((delivery) => [delivery.id, delivery])))

  get(id: string): Delivery | undefined {
    return this.#byId.value.get(id)
  }

  /** Returns the log of an endpoint, newest first. */
  ofEndpoint(endpointId: number): readonly Delivery[] {
    this.#version.value
    return [...(this.#logs.get(endpointId) ?? [])].reverse()
  }

  /** Returns a mark to take before requesting logs and to pass to `addLogs`. */
  mark(): number {
    return this.#changes
  }

  /** Applies changes from the stream, oldest first. */
  applyChanges(changed: readonly Delivery[]): void {
    for (const delivery of changed) {
      this.#changedAt.set(delivery, ++this.#changes)
      const log = [...(this.#logs.get(delivery.webhook_id) ?? [])]
      const at = log.findIndex(({ id }) => id === delivery.id)
      const known = log[at]
      this.#arrivedAt.set(delivery, known ? (this.#arrivedAt.get(known) ?? 0) : this.#changes)
      log[known ? at : log.length] = delivery
      this.#keep(delivery.webhook_id, log)
    }
    this.#version.value++
  }

  /** Replaces the logs of some endpoints with those of the server, except for changes since the mark. */
  addLogs(logs: ReadonlyMap<number, readonly Delivery[]>, mark: number): void {
    for (const [endpointId, log] of logs) {
      const known = this.#logs.get(endpointId) ?? []
      const newer = new Map(
        known.filter((one) => (this.#changedAt.get(one) ?? 0) > mark).map((one) => [one.id, one] as const),
      )
      const listed = new Map([...log].reverse().map((one) => [one.id, newer.get(one.id) ?? one] as const))
      this.#keep(endpointId, [...new Map([...listed, ...newer]).values()])
    }
    this.#version.value++
  }

  /** Removes the log of an endpoint that was deleted, for good. */
  removeEndpoint(endpointId: number): void {
    this.#removed.add(endpointId)
    this.#logs.delete(endpointId)
    this.#version.value++
  }

  /** Removes the finished deliveries that the server has deleted by this instant (DLV-09). */
  removeExpired(nowMs: number): void {
    for (const [endpointId, log] of this.#logs) {
      const kept = log.filter(
        ({ status, created_at: at }) => status === 'pending' || nowMs - Date.parse(at) <= KEPT_MS,
      )
      if (kept.length === log.length) continue
      this.#logs.set(endpointId, kept)
      this.#version.value++
    }
  }

  clear(): void {
    this.#logs.clear()
    this.#removed.clear()
    this.#version.value++
  }

  #keep(endpointId: number, log: readonly Delivery[]): void {
    if (!this.#removed.has(endpointId)) this.#logs.set(endpointId, log.slice(-KEPT_PER_ENDPOINT))
  }

  /**
   * Returns all deliveries by creation time, keeping the server's order within each log: what is earlier than its predecessor there
   * counts as of the same time. Of the same instant, the latest to arrive are last, and the deliveries of a response come together.
   */
  #sorted(): Delivery[] {
    const dated: { delivery: Delivery; at: number; arrivedAt: number; response: number }[] = []
    for (const log of this.#logs.values()) {
      let [at, arrivedAt, response] = [0, 0, 0]
      for (const delivery of log) {
        const createdAt = Date.parse(delivery.created_at)
        if (createdAt > at) [at, arrivedAt, response] = [createdAt, 0, 0]
        if (createdAt === at) {
          arrivedAt = Math.max(arrivedAt, this.#arrivedAt.get(delivery) ?? 0)
          response = Math.max(response, delivery.response_id)
        }
        dated.push({ delivery, at, arrivedAt, response })
      }
    }
    dated.sort((a, b) => a.at - b.at || a.arrivedAt - b.arrivedAt || a.response - b.response)
    return dated.map(({ delivery }) => delivery)
  }
}
