import { isDeepStrictEqual } from 'node:util'
import type { ReceivedDelivery } from './received-delivery.ts'

/** What to wait for: a number of deliveries, a delivery that a predicate accepts, or one with these members. */
export type Match = number | ((delivery: ReceivedDelivery) => boolean) | MatchMembers

/** Expected members, at any depth. Members that are not listed are ignored. */
export type MatchMembers = {
  readonly [Member in keyof ReceivedDelivery]?: unknown
}

/** Maximum number of deliveries in a timeout message. */
const NEAREST = 3

/** Returns whether a delivery matches. */
export function matches(delivery: ReceivedDelivery, match: Exclude<Match, number>): boolean {
  return typeof match === 'function' ? match(delivery) : differences(delivery, match).length === 0
}

/** Describes the closest deliveries and how they differ, as the end of an error message. */
export function describeNearest(deliveries: readonly ReceivedDelivery[], match: Match): string {
  if (deliveries.length === 0) return 'Nothing was received.'
  if (typeof match !== 'object') {
    const latest = deliveries
      .slice(-NEAREST)
      .reverse()
      .map((delivery) => `  ${summary(delivery)}`)
    return `Received ${deliveries.length}, the latest:\n${latest.join('\n')}`
  }
  const nearest = deliveries
    .map((delivery) => ({ delivery, wrong: differences(delivery, match) }))
    .sort((a, b) => a.wrong.length - b.wrong.length)
    .slice(0, NEAREST)
    .map(({ delivery, wrong }) => `  ${summary(delivery)}\n${wrong.map((line) => `    ${line}`).join('\n')}`)
  return `Received ${deliveries.length}, the closest:
${nearest.join('\n')}`
}

/** Returns one line for each listed member that differs. */
function differences(actual: unknown, wanted: unknown, path = ''): string[] {
  if (
    typeof wanted === 'object' &&
    wanted !== null &&
    !Array.isArray(wanted) &&
    !ArrayBuffer.isView(wanted)
  ) {
    const members = typeof actual === 'object' && actual !== null ? (actual as Record<string, unknown>) : {}
    return Object.entries(wanted).flatMap(([name, value]) =>
      differences(members[name], value, path === '' ? name : `${path}.${name}`),
    )
  }
  return isDeepStrictEqual(actual, wanted) ? [] : [`${path}: ${show(actual)}, expected ${show(wanted)}`]
}

const summary = ({ id, attempt, event, payload, verified }: ReceivedDelivery): string =>
  `${id || '(no delivery id)'} attempt ${attempt}: ${event || '(no event)'}, response ${payload?.response?.id ?? '?'}, ` +
  `${verified === null ? 'not verified' : verified ? 'verified' : 'signature rejected'}`

function show(value: unknown): string {
  const text = typeof value === 'number' || value === undefined ? String(value) : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
