/** What the signatures of the entry points name: with `declaration` or `composite`, a user's compiler must be able to name it too. */
export type * from '@formwire/contract'
export type * from '@formwire/contract/control'
export type { Given } from '@formwire/internal/given'
export type { App } from './app.ts'
export type { Clock, Span } from './clock/index.ts'
export type {
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryEntry,
  ResolveHost,
  StreamFilter,
} from './delivery/index.ts'
export type { DraftRecord, ResponseRecord } from './domain/response.ts'
export type { ServiceErrorCode } from './domain/service-error.ts'
export type { FaultControl } from './http/faults/faults.ts'
export type { FetchOptions } from './http/transports/fetch.ts'
export type { ReferenceServerOptions } from './options.ts'
export type { RandomSource } from './random.ts'
export type { TimeSource } from './real-timers.ts'
export type {
  Match,
  MatchMembers,
  Misbehaviour,
  MockReceiver,
  MockReceiverOptions,
  ReceivedDelivery,
  ScriptedResponse,
  ScriptStep,
} from './receiver/index.ts'
export type {
  ListenOptions as ReceiverListenOptions,
  WaitOptions as ReceiverWaitOptions,
} from './receiver/mock-receiver.ts'
export type * from './seed/format.ts'
export type { SeedIssue } from './seed/seed-error.ts'
export type { ListenOptions } from './server/lifecycle.ts'
export type { ForkOptions, ReferenceServer } from './server.ts'
export type { DeliverySearch } from './services/deliveries.ts'
export type { FormDraft, FormEdit, NewForm } from './services/forms.ts'
export type { NewKey } from './services/keys.ts'
export type { BackFill } from './services/responses.ts'
export type { Snapshot } from './services/snapshots.ts'
export type { Limits } from './settings.ts'
export type { DeliveriesDump, DeliveryDump } from './store/deliveries.ts'
export type { EndpointsDump } from './store/endpoints.ts'
export type { FormsDump } from './store/forms.ts'
export type { KeysDump } from './store/keys.ts'
export type { PeopleDump } from './store/people.ts'
export type { ResponsesDump } from './store/responses.ts'
export type { StateDump } from './store/state.ts'
export type { SubmitTokensDump } from './store/submit-tokens.ts'
export type { Page } from './store/table.ts'
export type { UploadsDump } from './store/uploads.ts'
export type { Unspecified, UnspecifiedKey } from './unspecified.ts'
