import { matches as fits, type MatchOf } from '../matching/match.ts'
import { describeNearest } from '../matching/nearest.ts'
import type { ReceivedDelivery } from './received-delivery.ts'

/** What to wait for: a number of deliveries, a delivery that a predicate accepts, or one with these members. */
export type Match = number | ((delivery: ReceivedDelivery) => boolean) | MatchMembers

/**
 * Expected members, at any depth. Members that are not listed are ignored; regular expressions, functions, arrays and asymmetric matchers mean the same as in
 * {@link MatchOf}.
 */
export type MatchMembers = {
  readonly [Member in keyof ReceivedDelivery]?: unknown
}

/** Maximum number of deliveries in a timeout message. */
const NEAREST = 3

/** Returns whether a delivery matches. */
export const matches = (delivery: ReceivedDelivery, match: Exclude<Match, number>): boolean =>
  typeof match === 'function' ? Boolean(match(delivery)) : fits(delivery, match)

/** Describes the closest deliveries and how they differ, as the end of an error message. */
export function describeReceived(deliveries: readonly ReceivedDelivery[], match: Match): string {
  if (deliveries.length === 0) return 'Nothing was received.'
  if (typeof match === 'object')
    return describeNearest<ReceivedDelivery>(
      deliveries,
      match satisfies MatchOf<ReceivedDelivery>,
      summary,
      'Received',
    )
  const latest = deliveries.slice(-NEAREST).reverse()
  return `Received ${deliveries.length}, the latest:\n${latest.map((one) => `  ${summary(one)}`).join('\n')}`
}

const summary = ({ id, attempt, event, payload, verified }: ReceivedDelivery): string =>
  `${id || '(no delivery id)'} attempt ${attempt}: ${event || '(no event)'}, response ${payload?.response?.id ?? '?'}, ` +
  `${verified === null ? 'not verified' : verified ? 'verified' : 'signature rejected'}`
