import type {
  Answer,
  EventForm,
  EventResponse,
  KnownAnswer,
  KnownEventType,
  ResponseMeta,
  UnknownAnswer,
} from '@formwire/contract'

export type { BodyInput } from './body.ts'
export { createReceiver } from './create-receiver.ts'
export { ERROR_CODES, type WebhookErrorCode } from './error-codes.ts'
export { WebhookVerificationError } from './errors.ts'
export type {
  ResponseSubmittedEvent,
  TestPingEvent,
  UnknownEvent,
  UnknownEventType,
  VerifiedEvent,
} from './event.ts'
export { DEFAULT_TOLERANCE_SECONDS, type Now } from './freshness.ts'
export type { HeadersInput } from './raw-headers.ts'
export {
  DEFAULT_MAX_BODY_BYTES,
  type EventHandler,
  type EventHandlers,
  type ReceiverAnswer,
  type ReceiverDedupe,
  type ReceiverOptions,
  type ReceiverSecret,
} from './receiver.ts'
export type { SecretInput } from './secrets.ts'
export { signatureHeader, signWebhook } from './sign.ts'
export type { SignedDelivery, SignedHeaders, SignOptions } from './signed-delivery.ts'
export { type Verification, verificationOf } from './verification.ts'
export { tryVerifyWebhook, verifySignature, verifyWebhook } from './verify.ts'
export type {
  RawRequest,
  VerifiedSignature,
  VerifyOptions,
  VerifyPolicy,
  VerifyResult,
} from './verify-options.ts'

// The wire types that events are made of; the build inlines them, so that no package has to be installed for them.
export type { Answer, EventForm, EventResponse, KnownAnswer, KnownEventType, ResponseMeta, UnknownAnswer }
