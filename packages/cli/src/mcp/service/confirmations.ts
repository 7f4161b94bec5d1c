import type { Runtime } from '../../runtime.ts'

/** How long a confirmation is valid, in milliseconds: the user has to read what it is about. */
const VALID_MS = 10 * 60_000

interface Issued {
  /** What it is about, as JSON. */
  about: string
  expiresAt: number
}

/** Tokens that confirm one thing, once. They are no secrets: a token only shows what came before it. */
export class Confirmations {
  readonly #runtime: Pick<Runtime, 'clock' | 'randomId'>
  readonly #issued = new Map<string, Issued>()

  constructor(runtime: Pick<Runtime, 'clock' | 'randomId'>) {
    this.#runtime = runtime
  }

  /** Returns a new token. */
  issue(about: unknown): string {
    const { clock, randomId } = this.#runtime
    const now = clock.now()
    for (const [token, { expiresAt }] of this.#issued) if (expiresAt <= now) this.#issued.delete(token)
    const token = randomId()
    this.#issued.set(token, { about: JSON.stringify(about), expiresAt: now + VALID_MS })
    return token
  }

  /** Uses up a token. Returns whether it was issued about the same thing and is still valid. */
  redeem(token: string, about: unknown): boolean {
    const issued = this.#issued.get(token)
    this.#issued.delete(token)
    return (
      issued !== undefined &&
      issued.about === JSON.stringify(about) &&
      this.#runtime.clock.now() < issued.expiresAt
    )
  }
}
