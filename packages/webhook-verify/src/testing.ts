export {
  createDelivery,
  type DeliveryOptions,
  examplePayload,
  type TamperedDelivery,
  type TestDelivery,
} from './testing/delivery.ts'
export type { LambdaTestEvent, TestIncomingMessage } from './testing/requests.ts'
export { TAMPERINGS, type Tampering } from './testing/tamperings.ts'
