import { lazy } from '../lazy.ts'
import type { AttemptRequest, AttemptResult, Sender, SenderSettings } from './sender.ts'

const ABANDONED: AttemptResult = { httpStatus: null, error: 'reset', receiverAnswer: null }
const NEVER_SENT: AttemptResult = { httpStatus: null, error: 'protocol', receiverAnswer: null }

export interface LazySenderOptions {
  readonly settings: SenderSettings
  /** Receives the error when the sender cannot be loaded. */
  readonly report: (cause: unknown) => void
  /** Real milliseconds since an arbitrary moment. */
  readonly elapsed: () => number
  /** Loads the sender that does the work. @default loads `attempt.ts` */
  readonly load?: (settings: SenderSettings) => Promise<Sender>
}

/**
 * Loads what an attempt needs (undici, the address rules) on the first attempt, so that a server starts faster. The
 * deadline starts once loading has finished. If loading fails, the attempts that wait for it fail, and the next attempt
 * loads again.
 */
export class LazySender implements Sender {
  readonly #elapsed: () => number
  readonly #load: () => Promise<Sender>
  #loading: Promise<Sender> | undefined
  #sender: Sender | undefined
  /** Incremented by `abandonAll`: attempts of an earlier generation that have not started never do. */
  #generation = 0

  constructor({ settings, report, elapsed, load }: LazySenderOptions) {
    this.#elapsed = elapsed
    this.#load = lazy(async () => {
      try {
        this.#sender = load
          ? await load(settings)
          : new (await import('./attempt.ts')).AttemptSender(settings)
        return this.#sender
      } catch (cause) {
        report(cause)
        throw cause
      }
    })
  }

  send(request: AttemptRequest, done: (result: AttemptResult) => void): void {
    if (this.#sender) {
      this.#sender.send(request, done)
      return
    }
    const generation = this.#generation
    const asked = this.#elapsed()
    this.#loading = this.#load()
    this.#loading.then(
      (sender) => {
        if (generation !== this.#generation) {
          done(ABANDONED)
          return
        }
        const waitedMs = this.#elapsed() - asked
        sender.send(request, (result) => done({ ...result, waitedMs }))
      },
      () => done(NEVER_SENT),
    )
  }

  abandonAll(): void {
    this.#generation += 1
    this.#sender?.abandonAll()
  }

  async close(): Promise<void> {
    this.abandonAll()
    await this.#loading?.catch(() => undefined)
    await this.#sender?.close()
  }
}
