import type { Context } from '../context.ts'
import { randomText } from '../random.ts'
import { elapsedMs, type TimeSource } from '../real-timers.ts'
import { DeliveryEngine } from './engine.ts'
import { parseHostOverrides } from './host-overrides.ts'
import { lazySender } from './lazy-sender.ts'
import { writeEntryText } from './log-entry.ts'
import { type ResolveHost, systemResolveHost, withTimeout } from './resolve-host.ts'
import { DeliveryStream } from './stream.ts'
import type { AddressSettings } from './webhook-target.ts'

export { DeliveryEngine } from './engine.ts'
export { eventBody, exampleResponse } from './event-body.ts'
export {
  type DeliveryAttempt,
  type DeliveryDetail,
  type DeliveryEntry,
  rawBody,
  writeDetail,
  writeEntry,
  writeListed,
} from './log-entry.ts'
export type { ResolveHost } from './resolve-host.ts'
export { DeliveryStream, type StreamFilter } from './stream.ts'

/** The delivery parts of a server. */
export type DeliveryService = ReturnType<typeof createDeliveryService>

/**
 * @param context Its state may have pending deliveries; those that are due start immediately.
 * @param report Receives the error when the sender cannot be loaded.
 * @param dns Resolves host names. @default the operating system's resolver
 * @throws TypeError for an invalid host override.
 */
export function createDeliveryService(
  context: Context,
  report: (cause: unknown) => void,
  dns: ResolveHost = systemResolveHost,
  deadlines?: TimeSource,
) {
  const { settings } = context
  const hostOverrides = parseHostOverrides(settings.hostOverrides)
  const { deliveryTimeoutMs: timeoutMs } = settings
  // A getter, since the rules may change when the server starts to listen.
  const withRules = <Rest extends object>(rest: Rest) => ({
    ...rest,
    get rules() {
      return settings.addressRules
    },
  })
  // Under the rules for loopback, every name that is left means this machine.
  const resolve: ResolveHost = async (host) =>
    settings.addressRules === 'loopback' ? ['127.0.0.1', '::1'] : dns(host)
  const addresses: AddressSettings = withRules({ hostOverrides, resolve: withTimeout(resolve, timeoutMs) })
  // No timeout here: the deadline of an attempt covers its lookup.
  const sender = lazySender({
    settings: withRules({
      hostOverrides,
      resolve,
      timeoutMs,
      deadlines: deadlines ?? context.clock.deadlines,
      connectDeadlines: deadlines,
    }),
    report,
    elapsed: elapsedMs,
  })
  const stream = new DeliveryStream({
    epoch: randomText(context.random, 12),
    write: (delivery) => writeEntryText(delivery, settings.unspecified),
  })
  const engine = new DeliveryEngine({
    context,
    sender,
    elapsed: elapsedMs,
    onChange: (delivery) => stream.publish(delivery),
  })
  return {
    engine,
    stream,
    /** Called before the log is read. The demo plays its week at the first call. */
    beforeRead: (): void => {},
    /** Address settings for the registration of webhook URLs. */
    addresses,
    /** Call after the context's state was replaced. */
    reset(): void {
      engine.reset()
      stream.reset()
    },
    /** Ends attempts and streams, and leaves no handle open. */
    async close(): Promise<void> {
      stream.close()
      await engine.close()
    },
  }
}
