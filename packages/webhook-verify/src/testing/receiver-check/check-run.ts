import type { SleepClock } from '@formwire/internal/clock'
import type { ReceiverCheckName } from './checks.ts'
import type { ReadCount } from './handled-count.ts'
import type { DeliverySource } from './probe.ts'
import type { Sender } from './target.ts'

/** What checks work with. */
export interface CheckRun {
  readonly source: DeliverySource
  readonly sender: Sender
  readonly clock: SleepClock
  /** Reads how many responses the receiver has handled; without it, duplicates are judged by their status. */
  readonly readCount: ReadCount | undefined
  /** Ends the run. */
  readonly stop: AbortSignal
  /** When the latest response arrived, in milliseconds. */
  lastResponseAt: number
  /** The status of a genuine delivery that was not accepted. */
  failedStatus?: number | null
  /** Requests in flight. */
  readonly waits: Set<Wait>
  /** Checks that got no response in time. */
  readonly hung: Set<ReceiverCheckName>
  /** What the receiver was expected to respond to deliveries that it responded to slowly: it gets all of the time for these. */
  readonly slow: Set<string>
}

/** The wait for one response. */
export interface Wait {
  readonly name: ReceiverCheckName
  /** In milliseconds. */
  readonly since: number
  readonly giveUp: AbortController
}
