/** Work that is done once, for everyone who needs it. If it fails, the next call tries again. */
export class Once {
  readonly #work: () => Promise<void>
  #running: Promise<void> | undefined

  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  run(): Promise<void> {
    this.#running ??= this.#work().catch((error: unknown) => {
      this.#running = undefined
      throw error
    })
    return this.#running
  }

  /** Resolves when no attempt is under way. Never rejects. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => undefined)
  }
}
