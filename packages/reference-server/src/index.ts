export type { App } from './app.ts'
export { type Clock, InvalidSpanError, ManualClock, RealClock, type Span } from './clock/index.ts'
export type { DeliveryAttempt, DeliveryDetail, DeliveryEntry, ResolveHost } from './delivery/index.ts'
export { FakeTimersError } from './fake-timers.ts'
export type { FetchOptions } from './http/transports/fetch.ts'
export { OptionError } from './known-names.ts'
export type { ReferenceServerOptions } from './options.ts'
export { PackageError } from './package-error.ts'
export { type RandomSource, seededRandom } from './random.ts'
export {
  createMockReceiver,
  type Match,
  type MatchMembers,
  type Misbehaviour,
  type MockReceiver,
  type MockReceiverOptions,
  type ReceivedDelivery,
  type ScriptedResponse,
  type ScriptStep,
  slow,
} from './receiver/index.ts'
export type { Seed } from './seed/format.ts'
export { createReferenceServer, type ForkOptions, type ReferenceServer } from './server.ts'
export { DEFAULT_LIMITS, type Limits } from './settings.ts'
export { DEFAULT_UNSPECIFIED, UNSPECIFIED, type Unspecified, type UnspecifiedKey } from './unspecified.ts'
