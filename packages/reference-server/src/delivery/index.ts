import { elapsedMs } from '../clock/elapsed.ts'
import type { Context } from '../context.ts'
import { randomText } from '../random.ts'
import { DeliveryEngine } from './engine.ts'
import { writeEntry } from './log-entry.ts'
import { type ResolveHost, systemResolveHost, withTimeout } from './resolve-host.ts'
import { parseRoutes } from './routes.ts'
import { LateSender } from './sender.ts'
import { DeliveryStream } from './stream.ts'
import type { AddressSettings } from './vet-target.ts'

export { DeliveryEngine } from './engine.ts'
export { eventBody, exampleResponse } from './event-body.ts'
export {
  type DeliveryAttempt,
  type DeliveryDetail,
  type DeliveryEntry,
  writeDetail,
  writeEntry,
} from './log-entry.ts'
export type { ResolveHost } from './resolve-host.ts'
export { DeliveryStream, type StreamFilter } from './stream.ts'

/** Everything that deliveries need, of one server. */
export interface DeliveryService {
  /** Takes the domain's events: `engine.publish` is the context's `publish`. */
  readonly engine: DeliveryEngine
  readonly stream: DeliveryStream
  /** What a webhook url is judged by at registration. */
  readonly addresses: AddressSettings
  /** After the context's state was replaced. */
  reset(): void
  /** Ends attempts and streams; no handle stays open. */
  close(): Promise<void>
}

/**
 * @param context Its state may hold waiting deliveries already: those that are due start at once.
 * @param report Hears why attempts could not be made at all.
 * @param dns Looks host names up. @default the operating system's resolver
 * @throws TypeError for a route that cannot be read.
 */
export function createDeliveryService(
  context: Context,
  report: (cause: unknown) => void,
  dns: ResolveHost = systemResolveHost,
): DeliveryService {
  const { settings } = context
  const routes = parseRoutes(settings.routes)
  const { deliveryTimeoutMs: timeoutMs } = settings
  // Asked for each time: the rules are settled when the server listens.
  const withRules = <Rest extends object>(rest: Rest) => ({
    ...rest,
    get rules() {
      return settings.addressRules
    },
  })
  const addresses: AddressSettings = withRules({ routes, resolve: withTimeout(dns, timeoutMs) })
  // An attempt has a deadline of its own, over all that it does.
  const sender = new LateSender({
    settings: withRules({ routes, resolve: dns, timeoutMs }),
    report,
    elapsed: elapsedMs,
  })
  const stream = new DeliveryStream({
    epoch: randomText(context.random, 12),
    write: (delivery) => JSON.stringify(writeEntry(delivery, settings.unspecified)),
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
    addresses,
    reset() {
      engine.reset()
      stream.reset()
    },
    async close() {
      stream.close()
      await engine.close()
    },
  }
}
