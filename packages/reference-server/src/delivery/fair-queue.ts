import { type AgeEntry, AgeList } from './age-list.ts'
import { Queue } from './queue.ts'

/** Attempts that run at one time, of all endpoints together, slow ones not counted. */
const RUNNING_MAX = 256
/** Attempts of one endpoint that run at one time: at first, and at most. */
const WINDOW_FIRST = 8
const WINDOW_MAX = 32
/** An attempt that takes longer no longer counts: it waits for its receiver and holds up nobody else (DLV-11). */
const SLOW_AFTER_MS = 250

/**
 * Starts the attempt of a delivery. `false`: there is nothing to start any more. Else `ended` is called once, in a later
 * turn, with whether the receiver answered in time.
 */
export type StartAttempt = (sequence: number, ended: (answered: boolean) => void) => boolean

/** Deliveries of one endpoint that are due. */
interface Lane {
  readonly due: Queue<number>
  running: number
  /** How many may run: grows with each answer, shrinks when the receiver lets the deadline pass. */
  window: number
  /** Stands in the round of lanes that may start one. */
  inRound: boolean
}

/**
 * Starts due deliveries: one of each endpoint in turn, so that a long queue of one delays no other, and no more at one
 * time than sockets and memory are worth. Endpoints whose receiver hangs are tried by ever fewer at a time.
 */
export class FairQueue {
  readonly #lanes = new Map<number, Lane>()
  readonly #round = new Queue<Lane>()
  readonly #start: StartAttempt
  /** Attempts that count, oldest first. */
  readonly #fresh = new AgeList<Running>(SLOW_AFTER_MS, (attempt) => {
    this.#release(attempt)
    this.pump()
  })
  #running = 0
  #stopped = false

  constructor(start: StartAttempt) {
    this.#start = start
  }

  /** Lines up a delivery that is due. Nothing starts before `pump`. */
  add(endpointId: number, sequence: number): void {
    let lane = this.#lanes.get(endpointId)
    if (!lane) {
      lane = { due: new Queue(), running: 0, window: WINDOW_FIRST, inRound: false }
      this.#lanes.set(endpointId, lane)
    }
    lane.due.push(sequence)
    this.#enterRound(lane)
  }

  /** Starts what may run now. */
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

  /** Forgets an endpoint that was deleted. What runs ends by itself. */
  forget(endpointId: number): void {
    this.#lanes.delete(endpointId)
  }

  /** Starts nothing any more: what was lined up belongs to a state that was replaced. What runs ends by itself. */
  stop(): void {
    this.#stopped = true
  }

  #enterRound(lane: Lane): void {
    if (lane.inRound || lane.due.size === 0 || lane.running >= lane.window) return
    lane.inRound = true
    this.#round.push(lane)
  }

  #try(lane: Lane, sequence: number): void {
    const attempt: Running = { counted: true, lane }
    const entry = this.#fresh.add(attempt)
    lane.running += 1
    this.#running += 1
    const started = this.#start(sequence, (answered) => {
      this.#leave(entry)
      lane.window = answered ? Math.min(WINDOW_MAX, lane.window + 1) : Math.max(1, lane.window >> 1)
      this.#enterRound(lane)
      this.pump()
    })
    if (!started) this.#leave(entry)
  }

  #leave(entry: AgeEntry<Running>): void {
    this.#fresh.remove(entry)
    this.#release(entry.item)
    entry.item.lane.running -= 1
  }

  #release(attempt: Running): void {
    if (attempt.counted) this.#running -= 1
    attempt.counted = false
  }
}

interface Running {
  readonly lane: Lane
  counted: boolean
}
