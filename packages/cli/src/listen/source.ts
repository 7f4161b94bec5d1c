import { setTimeout } from 'node:timers/promises'
import type { HandledDelivery } from './delivery.ts'
import type { Handler } from './handler.ts'
import type { ReceivedDelivery } from './received-delivery.ts'

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
  /** Begins to hand deliveries on. Rejects when it fails; resolves when it ends. */
  start(line: Line): Promise<void>
  /** Deletes what would outlive the run, such as an endpoint: called before the handler's command is ended, which may take long. */
  release?(): Promise<void>
}

/** What the deliveries of a source go through. */
export interface Line {
  handler: Handler
  /** Reports a delivery. `settled`: nothing more happens to it here, so that it is counted. */
  onDelivery(received: ReceivedDelivery, delivery: HandledDelivery, settled: boolean): void
  /** Whether the run has all the deliveries that it waits for. */
  isOver(): boolean
}

/** Milliseconds to finish deliveries in flight on exit; shorter than the service's timeout. */
const CLOSE_GRACE_MS = 2_000

/** Waits for deliveries in flight on exit, for a while. */
export async function finishing(deliveries: Iterable<Promise<unknown>>): Promise<void> {
  const finished = new AbortController()
  await Promise.race([
    Promise.allSettled(deliveries),
    setTimeout(CLOSE_GRACE_MS, undefined, { signal: finished.signal }).catch(() => undefined),
  ])
  finished.abort()
}
