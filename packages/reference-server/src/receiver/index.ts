export { createMockReceiver, MockReceiver, type MockReceiverOptions } from './mock-receiver.ts'
export type { Match, MatchMembers, ReceivedDelivery } from './received-delivery.ts'
export { runReceiver } from './run-receiver.ts'
export { type Misbehaviour, type ScriptedResponse, type ScriptStep, slow } from './script.ts'
