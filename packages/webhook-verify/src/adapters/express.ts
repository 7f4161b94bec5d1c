/**
 * The door for Express, and for whatever else hands on Node's own request and response (Connect, Polka, Restify). Mount
 * it before `express.json()`, or with `express.raw({ type: '*\/*' })`: a JSON parser in front gives "body_already_parsed".
 */
export {
  createReceiver,
  type EventHandlers,
  type ReceiverOptions,
  type VerifyRequestOptions,
  verifyRequest,
} from './node.ts'
