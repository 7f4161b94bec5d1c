export type * from '@formwire/contract'
export { FORM_STATUSES, isKnownAnswer, QUESTION_TYPES, RESPONSE_STATUSES } from '@formwire/contract'
export type { Clock } from '@formwire/internal/clock'
export * from './answers.ts'
export { type BudgetView, Formwire } from './client.ts'
export type { CustomRequest } from './custom-request.ts'
export * from './errors/api-errors.ts'
export * from './errors/client-errors.ts'
export {
  type ApiErrorFacts,
  FormwireError,
  isFormwireError,
  type RequestFacts,
} from './errors/formwire-error.ts'
export { isOutage } from './errors/outage.ts'
export type { ApiPromise, RawResponse, WithResponse } from './http/api-promise.ts'
export type { RequestMessage } from './http/diagnostics.ts'
export type { Hooks, Logger, LogLevel, RequestEvent, ResponseEvent, RetryEvent } from './http/observer.ts'
export type { Budget, BudgetStore, Claim, Priority } from './http/rate-budget.ts'
export type { FetchLike, Transport, TransportRequest, TransportResponse } from './http/transport.ts'
export type { FormwireOptions, RequestOptions, ValidateMode } from './options.ts'
export { Page, type PagePromise } from './pagination/pages.ts'
export type { Gap } from './polling/backlog.ts'
export { type CheckpointStore, type Lease, memoryCheckpoint, type PollState } from './polling/checkpoint.ts'
export type { Pause, PollOptions } from './polling/poll.ts'
export type { WalkedResponse, WalkOptions } from './polling/walk.ts'
export type { Forms } from './resources/forms.ts'
export type { ResponseListParams, Responses } from './resources/responses.ts'
export type { Webhooks } from './resources/webhooks.ts'
