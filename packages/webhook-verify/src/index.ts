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
export { ERROR_CODES, type WebhookErrorCode } from './error-codes.ts'
export { WebhookVerificationError } from './errors.ts'
export type {
  ResponseSubmittedEvent,
  TestPingEvent,
  UnknownEvent,
  UnknownEventType,
  Verification,
  VerifiedEvent,
} from './event.ts'
export { DEFAULT_TOLERANCE_SECONDS, type Now } from './freshness.ts'
export type { HeadersInput } from './raw-headers.ts'
export type { SecretInput } from './secrets.ts'
export { signatureHeader, signWebhook } from './sign.ts'
export type { SignedDelivery, SignedHeaders, SignOptions } from './signed-delivery.ts'
export {
  tryVerifyWebhook,
  type VerifiedSignature,
  type VerifyOptions,
  type VerifyResult,
  verifySignature,
  verifyWebhook,
} from './verify.ts'

// The wire types that events are made of; the build inlines them, so that no package has to be installed for them.
export type { Answer, EventForm, EventResponse, KnownAnswer, KnownEventType, ResponseMeta, UnknownAnswer }
