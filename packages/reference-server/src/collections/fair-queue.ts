import { wakeAfter } from '../real-timers.ts'

/** Maximum number of concurrent attempts of all endpoints together, not counting slow ones. */
const RUNNING_MAX = 256
/** Concurrent attempts of one endpoint: initial and highest limit. */
const WINDOW_FIRST = 8
const WINDOW_MAX = 32
/** An attempt that takes longer is no longer counted, so that it delays no other endpoint (DLV-11). */
const SLOW_AFTER_MS = 250

/**
 * Starts the attempt of a delivery. Returns `false` when there is nothing to start. Otherwise `ended` is called once, in
 * a later turn, with whether the receiver responded in time.
 */
export type StartAttempt = (sequence: number, ended: (responded: boolean) => void) => boolean

/** Deliveries of one endpoint that are due. */
interface Lane {
  readonly due: Queue<number>
  running: number
  /** Concurrency limit: grows with each response, shrinks with each timeout. */
  window: number
  /** Whether the lane is in the round of those that may start an attempt. */
  inRound: boolean
}

/**
 * Starts due deliveries of the endpoints in turn, so that a long queue of one endpoint delays no other, and limits
 * concurrency. The limit of an endpoint shrinks while its receiver hangs.
 */
export class FairQueue {
  readonly #lanes = new Map<number, Lane>()
  readonly #round = new Queue<Lane>()
  readonly #start: StartAttempt
  /** Attempts that count towards the limit. */
  #running = 0
  #stopped = false

  constructor(start: StartAttempt) {
    this.#start = start
  }

  /** Queues a delivery that is due. It starts with `pump`. */
  add(endpointId: number, sequence: number): void {
    let lane = this.#lanes.get(endpointId)
    if (!lane) {
      lane = { due: new Queue(), running: 0, window: WINDOW_FIRST, inRound: false }
      this.#lanes.set(endpointId, lane)
    }
    lane.due.push(sequence)
    this.#enterRound(lane)
  }

  /** Starts the attempts that the limits allow. */
  pump(): void {
    while (this.#running < RUNNING_MAX && !this.#stopped) {
      const lane = this.#round.shift()
      if (!lane) return
      lane.inRound = false
      const sequence = lane.due.shift()
      if (sequence !== undefined) this.#try(lane, sequence)
      this.#enterRound(lane)
    }
  }

  /** Drops the queue of a deleted endpoint. Attempts in flight continue. */
  forget(endpointId: number): void {
    this.#lanes.delete(endpointId)
  }

  /** Starts nothing more, since the queued deliveries belong to a replaced state. Attempts in flight continue. */
  stop(): void {
    this.#stopped = true
  }

  #enterRound(lane: Lane): void {
    if (lane.inRound || lane.due.size === 0 || lane.running >= lane.window) return
    lane.inRound = true
    this.#round.push(lane)
  }

  #try(lane: Lane, sequence: number): void {
    let isCounted = true
    lane.running += 1
    this.#running += 1
    const release = (): void => {
      if (isCounted) this.#running -= 1
      isCounted = false
    }
    const cancel = wakeAfter(SLOW_AFTER_MS, () => {
      release()
      this.pump()
    })
    const leave = (): void => {
      cancel()
      release()
      lane.running -= 1
    }
    const started = this.#start(sequence, (responded) => {
      leave()
      lane.window = responded ? Math.min(WINDOW_MAX, lane.window + 1) : Math.max(1, lane.window >> 1)
      this.#enterRound(lane)
      this.pump()
    })
    if (!started) leave()
  }
}

/** A first-in, first-out queue, O(1) at both ends. */
class Queue<Item> {
  #items: Item[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  shift(): Item | undefined {
    if (this.size === 0) return undefined
    const item = this.#items[this.#head] as Item
    this.#head += 1
    // Release the memory of removed items, but rarely enough to be cheap.
    if (this.#head === this.#items.length || this.#head > 1024 + this.#items.length / 2) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }
}
