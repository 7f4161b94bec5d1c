import { diagnosticsChannel } from '@formwire/internal/diagnostics-channel'
import type { VerifiedEvent } from '../verification/event.ts'

/**
 * One run of a handler, as the subscribers of the diagnostics channels `formwire:webhook:handle:start` and
 * `formwire:webhook:handle:end` receive it: the same object twice.
 */
interface HandleMessage {
  readonly type: string
  readonly deliveryId: string | null
  /** What the handler threw. Set at the end. */
  error?: unknown
  /** A subscriber of `start` may set this to run the handler in its own context. */
  run?: <Result>(handle: () => Result) => Result
}

const handleStart = diagnosticsChannel<HandleMessage>('formwire:webhook:handle:start')
const handleEnd = diagnosticsChannel<HandleMessage>('formwire:webhook:handle:end')

/** Runs a handler and publishes its start and its end. Costs one comparison if nobody subscribed. */
export async function published(event: VerifiedEvent, handle: () => unknown): Promise<void> {
  if (!handleStart?.hasSubscribers) {
    await handle()
    return
  }
  const message: HandleMessage = { type: event.type, deliveryId: event.deliveryId }
  handleStart.publish(message)
  try {
    await (message.run ? message.run(handle) : handle())
  } catch (error) {
    message.error = error
    throw error
  } finally {
    handleEnd?.publish(message)
  }
}
