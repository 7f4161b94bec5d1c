import { type Play, readStep, type ScriptStep } from './script.ts'

/** Plays a script step by step: one shared by all requests, and others for single delivery ids. */
export class ScriptPlayer {
  readonly #per: 'turn' | 'delivery'
  /** Remaining steps of the shared script. */
  #shared: Play[]
  readonly #byDelivery = new Map<string, Play[]>()

  /** @throws TypeError for an invalid step. */
  constructor(script: readonly ScriptStep[], per: 'turn' | 'delivery') {
    this.#shared = script.map(readStep)
    this.#per = per
  }

  /** Returns the next step for a delivery id: 200 after the last one. */
  next(deliveryId: string): Play {
    const steps = this.#byDelivery.get(deliveryId) ?? this.#ownCopy(deliveryId) ?? this.#shared
    return steps.shift() ?? readStep(200)
  }

  /** Number of steps of the shared script that are left to play. */
  get left(): number {
    return this.#shared.length
  }

  append(steps: readonly ScriptStep[]): void {
    this.#shared.push(...steps.map(readStep))
  }

  /** Sets the script of one delivery id, which takes precedence over the shared one. */
  setFor(deliveryId: string, steps: readonly ScriptStep[]): void {
    this.#byDelivery.set(deliveryId, steps.map(readStep))
  }

  /** Removes what is left of the script of one delivery id. */
  forget(deliveryId: string): void {
    this.#byDelivery.delete(deliveryId)
  }

  /** Replaces everything that is left to play. An invalid step changes nothing. */
  replace(steps: readonly ScriptStep[]): void {
    this.#shared = steps.map(readStep)
    this.#byDelivery.clear()
  }

  /** With a script per delivery, returns the copy of this id. */
  #ownCopy(deliveryId: string): Play[] | undefined {
    if (this.#per !== 'delivery') return undefined
    const own = [...this.#shared]
    this.#byDelivery.set(deliveryId, own)
    return own
  }
}
