export type { App } from './app/index.ts'
export { type Clock, InvalidSpanError, ManualClock, RealClock, type Span } from './clock.ts'
export type { DeliveryAttempt, DeliveryDetail, DeliveryEntry, ResolveHost } from './delivery/index.ts'
export type { FetchOptions } from './http/fetch.ts'
export { OptionError, type ReferenceServerOptions } from './options.ts'
export { type RandomSource, seededRandom } from './random.ts'
export {
  createMockReceiver,
  type Match,
  type MatchMembers,
  type Misbehaviour,
  type MockReceiver,
  type MockReceiverOptions,
  type ReceivedDelivery,
  type ScriptedAnswer,
  type ScriptStep,
  slow,
} from './receiver/index.ts'
export type { Seed } from './seed/format.ts'
export { createReferenceServer, type ForkOptions, type ReferenceServer } from './server.ts'
export { DEFAULT_LIMITS, type Limits } from './settings.ts'
export { DEFAULT_UNSPECIFIED, UNSPECIFIED, type Unspecified, type UnspecifiedKey } from './unspecified.ts'
