export { createMockReceiver, MockReceiver, type MockReceiverOptions } from './mock-receiver.ts'
export type { ReceivedDelivery } from './received-delivery.ts'
export { runReceiver } from './run-receiver.ts'
export { type ScriptedAnswer, type ScriptStep, slow } from './script.ts'
