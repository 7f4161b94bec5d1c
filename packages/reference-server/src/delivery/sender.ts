import type { AttemptError } from '../domain/delivery.ts'
import { loadLate } from '../load-late.ts'
import type { AddressSettings } from './vet-target.ts'

/** How an attempt ended. */
export interface AttemptAnswer {
  /** `null` without an answer. */
  readonly httpStatus: number | null
  /** `null` for a success. */
  readonly error: AttemptError | null
  /** First 300 characters, `null` without an answer. */
  readonly receiverAnswer: string | null
  /** Real milliseconds for which it waited before it began. @default 0 */
  readonly waitedMs?: number
}

/** One signed request. */
export interface AttemptRequest {
  readonly url: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

export interface SenderSettings extends AddressSettings {
  /** Deadline of a whole attempt, DNS, connection, headers and body included, in real milliseconds (DLV-05). */
  readonly timeoutMs: number
}

/** What sends attempts. */
export interface Sender {
  /**
   * @param done Called once, when the attempt has ended, never in the caller's own turn. A promise each would cost more
   *   than the log.
   */
  send(request: AttemptRequest, done: (answer: AttemptAnswer) => void): void
  /** Ends every running attempt as a reset. */
  abandonAll(): void
  /** Ends every running attempt and closes all connections. */
  close(): Promise<void>
}

const ABANDONED: AttemptAnswer = { httpStatus: null, error: 'reset', receiverAnswer: null }
const NEVER_SENT: AttemptAnswer = { httpStatus: null, error: 'protocol', receiverAnswer: null }

/** Makes the sender that does the work. */
type LoadSender = (settings: SenderSettings) => Promise<Sender>

const loadAttemptSender: LoadSender = async (settings) =>
  new (await import('./attempt.ts')).AttemptSender(settings)

export interface LateSenderOptions {
  readonly settings: SenderSettings
  /** Hears why the sender could not be loaded. */
  readonly report: (cause: unknown) => void
  /** Real milliseconds from any fixed moment. */
  readonly elapsed: () => number
  /** @default loads `attempt.ts` */
  readonly load?: LoadSender
}

/**
 * The sender of a server that may never send: what an attempt needs, undici and the address rules, is loaded for the first
 * one. Loading takes longer than all the rest of a start. No deadline runs meanwhile. Where it fails, the attempts that
 * wait for it fail, and the next one tries again.
 */
export class LateSender implements Sender {
  readonly #elapsed: () => number
  readonly #load: () => Promise<Sender>
  #loading: Promise<Sender> | undefined
  #sender: Sender | undefined
  /** Counts what was abandoned: an attempt of an older one that has not started never does. */
  #generation = 0

  constructor({ settings, report, elapsed, load = loadAttemptSender }: LateSenderOptions) {
    this.#elapsed = elapsed
    this.#load = loadLate(async () => {
      try {
        this.#sender = await load(settings)
        return this.#sender
      } catch (cause) {
        report(cause)
        throw cause
      }
    })
  }

  send(request: AttemptRequest, done: (answer: AttemptAnswer) => void): void {
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
        sender.send(request, (answer) => done({ ...answer, waitedMs }))
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
