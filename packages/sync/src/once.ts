/** Work that is done once, for everyone who needs its result. If it fails, the next call tries again. */
export class Once<Result = void> {
  readonly #work: () => Promise<Result>
  #running: Promise<Result> | undefined

  constructor(work: () => Promise<Result>) {
    this.#work = work
  }

  run(): Promise<Result> {
    this.#running ??= this.#work().catch((error: unknown) => {
      this.#running = undefined
      throw error
    })
    return this.#running
  }

  /** Resolves when no attempt is under way, with the result if there is one. Never rejects. */
  async settled(): Promise<Result | undefined> {
    return await this.#running?.catch(() => undefined)
  }
}
