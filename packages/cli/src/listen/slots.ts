/** Limits how many tasks run at once; the others wait in order. */
export class Slots {
  readonly #limit: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  /** @param limit @default no limit */
  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit
  }

  /** Runs the task once a slot is free. */
  async run<Value>(task: () => Promise<Value>): Promise<Value> {
    if (this.#taken >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#taken += 1
    try {
      return await task()
    } finally {
      // A waiting task takes over the slot, so that no newcomer overtakes it.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#taken -= 1
    }
  }
}
