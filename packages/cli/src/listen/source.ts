import type { Handler } from './handler.ts'
import type { ReceivedDelivery } from './received-delivery.ts'
import type { HandledDelivery } from './receiver.ts'
import type { SessionSecret } from './session-secret.ts'

/** Where deliveries come from: endpoints with a receiver, or a poll. */
export interface DeliverySource {
  /** Secret that the handler verifies with. */
  handlerSecret: string
  /** What is followed, such as `listening on http://127.0.0.1:4000`. */
  title: string
  /** Returns the time of the sender's clock, in milliseconds since the epoch. */
  now(): number
  /** Facts of the `listening` event. */
  facts: Record<string, unknown>
  /** Starts what must not begin before the handler's secret is known. Rejects when it fails; resolves when it ends. */
  start(): Promise<void>
  /** Deletes what would outlive the run, such as an endpoint: called before the handler's command is ended, which may take long. */
  release(): Promise<void>
}

/** What a source works with. */
export interface SourceParts {
  handler: Handler
  session: SessionSecret
  /** Reports a delivery. `settled`: nothing more happens to it here, so that it is counted. */
  onDelivery(received: ReceivedDelivery, delivery: HandledDelivery, settled: boolean): void
  /** Whether the run has all the deliveries that it waits for. */
  isOver(): boolean
}
