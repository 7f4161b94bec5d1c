import type { RehearsalKind } from '@formwire/internal/rehearsal-kinds'
import { elapsedMs, sleep } from '../real-timers.ts'
import { type Answer, type Attempt, forward } from './relay.ts'
import type { DeliveryTrouble } from './schedule.ts'
import type { Trace } from './trace.ts'

/** Longest real time that an attempt waits for another one. */
const REORDER_MS = 400

/** What must be known of the program of a run, and what is reported to it. */
export interface RunEvents {
  /** The program while it runs; `undefined` from when it is stopped until it is ready again. */
  readonly running: () => object | undefined
  readonly onReceived: () => void
  readonly onAcknowledged: () => void
}

/** What a courier needs of a run. */
interface CourierOptions extends RunEvents {
  /** Where the program listens. */
  readonly port: number
  readonly path: string
  readonly trace: Trace
  /** Whether the way to the program is cut. */
  readonly isCut: () => boolean
  /** Whether attempts can be held back. Otherwise they fail instead, and come again later. */
  readonly holds: boolean
  /** Queues a copy of a delivery that the program has acknowledged. */
  readonly replay: (deliveryId: string, afterMs: number) => void
  readonly signal: AbortSignal
}

/** What is known of the attempts of a response. */
export interface DeliveryFacts {
  /** Answers of the program, in order: `null` for none. */
  readonly answers: (number | null)[]
  /** Whether the program gave none of its own accord: it ran, and nothing was cut. */
  isSilent: boolean
  /** Of its first delivery; copies by a replay have others. */
  readonly firstId: string
}

/** How the last attempt of a delivery ended. */
export interface LastAttempt {
  /** The program's answer; `null` when it gave none of its own accord, `undefined` when the schedule decided how the attempt ended. */
  readonly answer: number | null | undefined
  /** For how long the program has left attempts without an answer since its last one, in real milliseconds. */
  readonly silentMs: number
}

const NO_ATTEMPT: LastAttempt = { answer: undefined, silentMs: 0 }

/** Carries the attempts of the service to the program, with the troubles of the schedule. */
export class Courier {
  readonly #options: CourierOptions
  readonly #troubles = new Map<number, DeliveryTrouble[]>()
  readonly #facts = new Map<number, DeliveryFacts>()
  readonly #last = new Map<string, LastAttempt>()
  /** The first program that left a delivery of a response without an answer. */
  readonly #claimed = new Map<number, object>()
  #isSilent = false
  #hasAnswered = false
  /** The program's first answer to the test event. */
  pingStatus: number | undefined
  /** Every delivery that the service has begun. */
  readonly begun = new Set<string>()
  /** Wakes attempts that wait for another one. */
  #passed: (() => void)[] = []
  #open = 0

  constructor(options: CourierOptions) {
    this.#options = options
  }

  /** Attempts that have not ended, duplicates included. */
  get open(): number {
    return this.#open
  }

  /** Sets what happens to the deliveries of a response. */
  trouble(responseId: number, troubles: readonly DeliveryTrouble[]): void {
    this.#troubles.set(responseId, [...troubles])
  }

  /** Returns what is known of the deliveries of a response; `undefined` before their first attempt. */
  factsOf(responseId: number): DeliveryFacts | undefined {
    return this.#facts.get(responseId)
  }

  /** Whether the program has answered no attempt at all, of its own accord. */
  get isMute(): boolean {
    return this.#isSilent && !this.#hasAnswered
  }

  /** Whether the program was stopped after it had left a delivery of the response without an answer: it may have claimed it. */
  isClaimed(responseId: number): boolean {
    const program = this.#claimed.get(responseId)
    return program !== undefined && program !== this.#options.running()
  }

  /** Returns how the last attempt of a delivery ended. */
  lastAttempt(deliveryId: string): LastAttempt {
    return this.#last.get(deliveryId) ?? NO_ATTEMPT
  }

  readonly carry = async (attempt: Attempt): Promise<Answer | undefined> => {
    this.#open += 1
    try {
      return await this.#carry(attempt)
    } finally {
      this.#open -= 1
    }
  }

  async #carry(attempt: Attempt): Promise<Answer | undefined> {
    const { trace, isCut, holds } = this.#options
    const { deliveryId, responseId } = attempt
    const isFirst = !this.begun.has(deliveryId)
    this.begun.add(deliveryId)
    if (!this.#facts.has(responseId))
      this.#facts.set(responseId, { answers: [], isSilent: false, firstId: deliveryId })
    const name = this.#nameOf(attempt)
    const lose = (kind: RehearsalKind, text: string): undefined => {
      trace(kind, text, responseId)
      this.#note(deliveryId, undefined)
    }
    if (isCut()) return lose('outage', `${name} does not reach the program: the service is gone`)
    const trouble = this.#take(responseId, isFirst)
    switch (trouble?.kind) {
      case 'fail-before':
        return lose('fail-before', `an attempt of ${name} fails on its way`)
      case 'delay':
      case 'reorder':
        if (!holds) return lose(trouble.kind, `${name} is late: its first attempt fails on its way`)
        if (trouble.kind === 'delay') {
          trace('delay', `${name} is held back for ${trouble.for_ms} ms`, responseId)
          await sleep(trouble.for_ms)
        } else {
          trace('reorder', `${name} is held back until another one has arrived`, responseId)
          await Promise.race([new Promise<void>((wake) => this.#passed.push(wake)), sleep(REORDER_MS)])
        }
        return await this.#forward(attempt, name)
      case 'duplicate': {
        const first = this.#forward(attempt, name)
        await sleep(trouble.after_ms)
        trace('duplicate', `${name} arrives a second time`, responseId)
        const [answer] = await Promise.all([first, this.#forward(attempt, name)])
        if (answer) this.#note(deliveryId, answer.status)
        return answer
      }
      case 'fail-after':
        await this.#forward(attempt, name)
        return lose('fail-after', `the answer to ${name} is lost: the service will try again`)
      case 'timeout':
        await this.#forward(attempt, name, AbortSignal.timeout(trouble.after_ms))
        return lose('timeout', `the service gives up waiting for the answer to ${name}`)
      default: {
        const answer = await this.#forward(attempt, name)
        if (trouble && isSuccess(answer?.status)) {
          this.#troubles.get(responseId)?.shift()
          trace('replay', `${name} is replayed, with a new delivery id`, responseId)
          this.#options.replay(deliveryId, trouble.after_ms)
        }
        return answer
      }
    }
  }

  async #forward(attempt: Attempt, name: string, limit?: AbortSignal): Promise<Answer | undefined> {
    const { port, path, trace, signal, running, onReceived, onAcknowledged } = this.#options
    const { responseId, deliveryId } = attempt
    const program = running()
    const begun = elapsedMs()
    // One that was held back for longer than the service waits still arrives.
    const ends = [signal, limit, attempt.signal.aborted ? undefined : attempt.signal]
    const answer = await forward(attempt, {
      port,
      path,
      signal: AbortSignal.any(ends.filter((end) => end !== undefined)),
      onReceived: () => {
        trace('attempt', `${name} reaches the program`, responseId)
        if (responseId !== 0) onReceived()
        for (const wake of this.#passed.splice(0)) wake()
      },
    })
    const facts = this.factsOf(responseId)
    facts?.answers.push(answer?.status ?? null)
    const isStopped = program === undefined || running() !== program
    if (responseId === 0) this.pingStatus ??= answer?.status
    if (!answer && program !== undefined && !this.#claimed.has(responseId))
      this.#claimed.set(responseId, program)
    if (answer) {
      this.#hasAnswered = true
      this.#note(deliveryId, answer.status)
    } else if (isStopped || limit?.aborted || signal.aborted) {
      this.#note(deliveryId, undefined)
    } else {
      this.#isSilent = true
      if (facts) facts.isSilent = true
      this.#note(deliveryId, null, elapsedMs() - begun)
    }
    if (answer) trace('answer', `the program responds with ${answer.status} to ${name}`, responseId)
    else trace('answer', `${name} gets no answer from the program`, responseId)
    // The test event comes before the schedule.
    if (responseId !== 0 && isSuccess(answer?.status)) onAcknowledged()
    return answer
  }

  #note(deliveryId: string, answer: LastAttempt['answer'], silentMs = 0): void {
    const before = typeof answer === 'number' ? 0 : this.lastAttempt(deliveryId).silentMs
    this.#last.set(deliveryId, { answer, silentMs: before + silentMs })
  }

  /** Returns the trouble of this attempt. Most apply to the first attempt alone; a replay waits for the one that succeeds. */
  #take(responseId: number, isFirst: boolean): DeliveryTrouble | undefined {
    const troubles = this.#troubles.get(responseId)
    const next = troubles?.[0]
    if (!troubles || !next || next.kind === 'replay') return next
    if (!isFirst && !('times' in next)) return undefined
    if ('times' in next && next.times > 1) troubles[0] = { ...next, times: next.times - 1 }
    else troubles.shift()
    return next
  }

  #nameOf({ responseId, deliveryId }: Attempt): string {
    if (responseId === 0) return 'the test event'
    return `${deliveryId === this.factsOf(responseId)?.firstId ? 'the delivery' : 'the replay'} of response ${responseId}`
  }
}

/** Whether an answer acknowledges a delivery; `null` or `undefined` is none. */
export const isSuccess = (status: number | null | undefined): boolean =>
  typeof status === 'number' && status >= 200 && status < 300
