/** What the signatures of the entry points name. The build inlines the wire types of events, so this package has no dependency. */
export type {
  Answer,
  EventForm,
  EventResponse,
  KnownAnswer,
  KnownEventType,
  ResponseMeta,
  UnknownAnswer,
} from '@formwire/contract'
export type { NodeRequestLike } from './adapters/raw-body.ts'
export type {
  EventHandler,
  EventHandlers,
  ReceivedRequest,
  ReceiverDedupe,
  ReceiverOptions,
  ReceiverResponse,
  ReceiverSecret,
  UnverifiedRequest,
  VerifyRequestOptions,
} from './adapters/receiver.ts'
export type { BodyInput } from './verification/body.ts'
export type { WebhookErrorCode } from './verification/errors.ts'
export type * from './verification/event.ts'
export type { Now } from './verification/freshness.ts'
export type { SecretInput } from './verification/secrets.ts'
export type { SignedDelivery, SignedHeaders, SignOptions } from './verification/signed-delivery.ts'
export type { Verification } from './verification/verification.ts'
export type {
  HeadersInput,
  RawRequest,
  VerifiedSignature,
  VerifyOptions,
  VerifyPolicy,
  VerifyResult,
} from './verification/verify-options.ts'
