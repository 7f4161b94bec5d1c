export type { SleepClock as CheckClock } from '@formwire/internal/clock'
export * from './testing/delivery.ts'
export type { Subject } from './testing/edit-delivery.ts'
export * from './testing/receiver-check/check-receiver.ts'
export {
  type ExpectedStatus,
  RECEIVER_CHECKS,
  type ReceiverCheckEntry,
  type ReceiverCheckName,
} from './testing/receiver-check/checks.ts'
export { ReceiverUnreachableError } from './testing/receiver-check/send-http.ts'
export type { ReceiverTarget } from './testing/receiver-check/target.ts'
export type { LambdaTestEvent, RequestParts, TestIncomingMessage } from './testing/requests.ts'
export { TAMPERINGS, type Tampering } from './testing/tamperings.ts'
export type * from './types.ts'
