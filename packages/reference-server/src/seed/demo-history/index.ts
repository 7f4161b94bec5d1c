import type { Context } from '../../context.ts'
import type { DeliveryRecord } from '../../domain/delivery.ts'
import type { JournalHistory } from '../../http/journal.ts'
import { writeDeliveries } from './deliveries.ts'
import { requestsOfTheDay } from './requests.ts'

/** What happened before the demo was started: for a first look, and of no effect on what a test sees. */
export interface DemoHistory {
  /** Deliveries of the last week by id, which are part of the state, as they were at the start. */
  readonly deliveries: ReadonlyMap<string, DeliveryRecord>
  /** API requests of the last day, oldest first, for the journal. */
  readonly requests: readonly JournalHistory[]
}

/**
 * Writes a week of deliveries into the state of the demo seed, with every error class, and returns a day of API requests. Runs
 * the same rules as the engine: the history has the schedule, the notes and the signatures of real attempts. Nothing is sent.
 */
export function writeDemoHistory(
  context: Pick<Context, 'state' | 'clock' | 'random' | 'settings'>,
): DemoHistory {
  return { deliveries: writeDeliveries(context), requests: requestsOfTheDay(context) }
}
