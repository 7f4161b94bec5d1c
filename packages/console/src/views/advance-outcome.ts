import { count } from '../format.ts'
import type { Logged } from '../state/deliveries.ts'

/** What an advance has done: its attempts, how many of them delivered, and the deliveries that had them. */
export interface Attempted {
  readonly attempts: number
  readonly delivered: number
  readonly ids: readonly string[]
}

/** Returns the attempts between two states of the log. */
export function attemptsBetween(earlier: readonly Logged[], log: readonly Logged[]): Attempted {
  const before = new Map(earlier.map(({ id, attempts }) => [id, attempts]))
  const more = ({ id, attempts }: Logged) => attempts - (before.get(id) ?? 0)
  const attempted = log.filter((delivery) => more(delivery) > 0)
  return {
    attempts: attempted.reduce((sum, delivery) => sum + more(delivery), 0),
    delivered: attempted.filter(({ status }) => status === 'delivered').length,
    ids: attempted.map(({ id }) => id),
  }
}

/** Says what attempts have come to: `3 attempts, 2 delivered, 1 failed`. */
export function attemptsText({ attempts, delivered }: Attempted): string {
  if (attempts === 0) return 'no attempt was due'
  const failed = attempts - delivered
  return `${count(attempts, 'attempt')}${delivered > 0 ? `, ${delivered} delivered` : ''}${failed > 0 ? `, ${failed} failed` : ''}`
}
