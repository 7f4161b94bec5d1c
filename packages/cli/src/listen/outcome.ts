import { EXIT, type ExitCode } from '../exit.ts'
import { Failure } from '../failure.ts'
import { spanText } from '../output/time.ts'
import type { Reception } from './reception.ts'

/** When `listen` is over, and whether it went well: for scripts and CI. */
export class Outcome {
  /** Resolves once as many deliveries as wanted have come. */
  readonly reached: Promise<'count'>
  readonly #wanted: number | undefined
  readonly #scripted: boolean
  readonly #shown: Promise<void>[] = []
  #failed: unknown
  #reach: (why: 'count') => void = () => undefined
  #verified = 0
  #refusedByHandler = 0
  #unverified = 0

  /** `scripted`: the answers come from `--respond`, so that a failing one is no failure. */
  constructor(options: { count: number | undefined; scripted: boolean }) {
    this.#wanted = options.count
    this.#scripted = options.scripted
    this.reached = new Promise((resolve) => {
      this.#reach = resolve
    })
  }

  /** Counts a delivery. */
  add(reception: Reception): void {
    if (!reception.verified) this.#unverified += 1
    else {
      this.#verified += 1
      if (!this.#scripted && (reception.answered < 200 || reception.answered > 299))
        this.#refusedByHandler += 1
    }
    if (this.#wanted !== undefined && this.#verified >= this.#wanted) this.#reach('count')
  }

  /** Remembers output under way, so that none is lost at the end. */
  follow(shown: void | Promise<void>): void {
    if (!shown) return
    const heard = shown.catch((error: unknown) => {
      this.#failed ??= error
    })
    this.#shown.push(heard)
  }

  /** Resolves when all output is written. @throws what writing threw */
  async settled(): Promise<void> {
    await Promise.all(this.#shown)
    if (this.#failed !== undefined) throw this.#failed
  }

  /** @throws Failure exit 1 when too few came in time, or the handler refused one. */
  exitCode(timeoutMs: number | undefined): ExitCode {
    const wanted = this.#wanted ?? 1
    if (timeoutMs !== undefined && this.#verified < wanted) {
      const unverified = this.#unverified > 0 ? `; ${this.#unverified} came in that did not verify` : ''
      throw new Failure(
        `${this.#verified} of ${wanted} expected deliveries came in ${spanText(timeoutMs)}${unverified}`,
        { exitCode: EXIT.failed, code: 'timeout', hint: 'is the endpoint active, and does --match fit?' },
      )
    }
    if (this.#refusedByHandler === 0) return EXIT.done
    throw new Failure(`the handler refused ${this.#refusedByHandler} of ${this.#verified} deliveries`, {
      exitCode: EXIT.failed,
      code: 'handler_failed',
    })
  }
}
