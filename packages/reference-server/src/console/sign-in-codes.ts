import { randomText, systemRandom } from '../random.ts'
import { elapsedMs } from '../real-timers.ts'
import { SIGN_IN_CODE_VALID_MS } from '../resource-limits.ts'

const CODE_LENGTH = 32

/** One-time codes with which a link signs in a tab of the console: a browser's history keeps the links that were opened. */
export class SignInCodes {
  readonly #now: () => number
  readonly #validUntil = new Map<string, number>()

  /** @param now Real milliseconds: links do not depend on the server's clock. */
  constructor(now = elapsedMs) {
    this.#now = now
  }

  issue(): string {
    const now = this.#now()
    for (const [code, until] of this.#validUntil) if (until < now) this.#validUntil.delete(code)
    const code = randomText(systemRandom, CODE_LENGTH)
    this.#validUntil.set(code, now + SIGN_IN_CODE_VALID_MS)
    return code
  }

  /** Checks a code and invalidates it. */
  redeem(code: unknown): boolean {
    if (typeof code !== 'string') return false
    const until = this.#validUntil.get(code) ?? 0
    this.#validUntil.delete(code)
    return this.#now() <= until
  }
}
