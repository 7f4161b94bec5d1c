import type {
  Answer,
  EventForm,
  EventResponse,
  KnownAnswer,
  KnownEventType,
  ResponseMeta,
  UnknownAnswer,
} from '@formwire/contract'

export { createReceiver } from './adapters/create-receiver.ts'
export {
  DEFAULT_MAX_BODY_BYTES,
  type EventHandler,
  type EventHandlers,
  type ReceivedRequest,
  type ReceiverDedupe,
  type ReceiverOptions,
  type ReceiverResponse,
  type ReceiverSecret,
  type UnverifiedRequest,
} from './adapters/receiver.ts'
export type { BodyInput } from './verification/body.ts'
export { ERROR_CODES, type WebhookErrorCode } from './verification/error-codes.ts'
export { WebhookVerificationError } from './verification/errors.ts'
export type * from './verification/event.ts'
export { DEFAULT_TOLERANCE_SECONDS, type Now } from './verification/freshness.ts'
export type { HeadersInput } from './verification/raw-headers.ts'
export type { SecretInput } from './verification/secrets.ts'
export { signatureHeader, signWebhook } from './verification/sign.ts'
export type { SignedDelivery, SignedHeaders, SignOptions } from './verification/signed-delivery.ts'
export { type Verification, verificationOf } from './verification/verification.ts'
export { tryVerifyWebhook, verifySignature, verifyWebhook } from './verification/verify.ts'
export type * from './verification/verify-options.ts'

// The wire types of events. The build inlines them, so this package has no dependency.
export type { Answer, EventForm, EventResponse, KnownAnswer, KnownEventType, ResponseMeta, UnknownAnswer }
