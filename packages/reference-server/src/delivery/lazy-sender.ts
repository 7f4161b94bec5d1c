import { lazy } from '../lazy.ts'
import type { AttemptResult, Sender, SenderSettings } from './sender.ts'

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
export function lazySender({ settings, report, elapsed, load = loadSender }: LazySenderOptions): Sender {
  let loading: Promise<Sender> | undefined
  let sender: Sender | undefined
  /** Incremented by `abandonAll`: attempts of an earlier generation that have not started never do. */
  let generation = 0
  const start = lazy(async () => {
    try {
      sender = await load(settings)
      return sender
    } catch (cause) {
      report(cause)
      throw cause
    }
  })
  const abandonAll = (): void => {
    generation += 1
    sender?.abandonAll()
  }
  return {
    abandonAll,
    send(request, done) {
      if (sender) return sender.send(request, done)
      const [asked, askedIn] = [elapsed(), generation]
      loading = start()
      loading.then(
        (loaded) => {
          if (askedIn !== generation) return done(ABANDONED)
          const waitedMs = elapsed() - asked
          loaded.send(request, (result) => done({ ...result, waitedMs }))
        },
        () => done(NEVER_SENT),
      )
    },
    async close() {
      abandonAll()
      await loading?.catch(() => undefined)
      await sender?.close()
    },
  }
}

const loadSender = async (settings: SenderSettings): Promise<Sender> =>
  new (await import('./attempt.ts')).AttemptSender(settings)
