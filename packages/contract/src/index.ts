export {
  type AddressValue,
  type Answer,
  type AnswerOf,
  type AnswerValues,
  type ChoiceValue,
  type GridMultipleValue,
  type GridSingleValue,
  isKnownAnswer,
  type KnownAnswer,
  type KnownQuestionType,
  QUESTION_TYPES,
  type QuestionType,
  type UnknownAnswer,
  type UnknownQuestionType,
  type UploadedFile,
} from './answer.ts'
export type {
  Deleted,
  ErrorDetails,
  ErrorEnvelope,
  ItemEnvelope,
  ListEnvelope,
  PageMeta,
} from './envelope.ts'
export { ERROR_STATUS, type ErrorCode, type ErrorStatus } from './errors.ts'
export {
  FORM_STATUSES,
  type Form,
  type FormListQuery,
  type FormStatus,
  type FormUpdate,
  type KnownFormStatus,
  SETTABLE_FORM_STATUSES,
  type SettableFormStatus,
} from './form.ts'
export {
  API_ROOT,
  APPEARANCE_LIMITS,
  DELIVERY_ATTEMPTS,
  KEY_PREFIX,
  LIMITS,
  REQUESTS_PER_MINUTE,
  RETRY_AFTER_SECONDS,
  RETRY_DELAYS_MS,
  SECRET_PREFIX,
  WEBHOOK_PORTS,
} from './limits.ts'
export {
  KEY_SCOPES,
  type KeyScope,
  type KnownWorkspaceRole,
  type Me,
  WORKSPACE_ROLES,
  type WorkspaceRole,
} from './me.ts'
export type { OpenEnum, Timestamp } from './open-enum.ts'
export {
  CSV_FACTS,
  CSV_OTHER_ANSWERS,
  type FormResponse,
  type KnownResponseStatus,
  RESPONSE_STATUSES,
  type ResponseListQuery,
  type ResponseMeta,
  type ResponseStatus,
} from './response.ts'
export {
  type CreatedWebhookEndpoint,
  DELIVERY_HEADERS,
  EVENT_TYPES,
  type EventForm,
  type EventResponse,
  type EventType,
  type KnownEventType,
  type WebhookCreate,
  type WebhookEndpoint,
  type WebhookEvent,
} from './webhook.ts'
