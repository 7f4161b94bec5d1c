/**
 * The adapter for Express, and for other frameworks that pass Node's request and response (Connect, Polka, Restify).
 * Mount it before `express.json()`, or after `express.raw({ type: '*\/*' })`: after a JSON parser, every delivery fails
 * with "body_already_parsed".
 */
export type * from '../types.ts'
export { createReceiver, verifyRequest } from './node.ts'
