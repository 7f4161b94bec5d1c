import type { EndpointHealth } from '@formwire/contract/control'
import { healthText as textOf } from '@formwire/internal/endpoint-health'
import { grouped } from '../output/progress.ts'
import { timeOrDate, utcTime } from '../output/time.ts'
import type { ControlEndpoint } from './client.ts'

/** Returns a health in words, as the console does: `failing since 2026-11-21T12:00:00Z`, `paused since … (3 not sent)`. */
export const healthText = (health: EndpointHealth): string =>
  textOf(health, (since) => since.replace(/\.\d+/, ''))

/** Returns a health in words for a table, as the console does: `failing since 12:00:00Z`, `paused since 19 Nov (3 not sent)`. */
export const shortHealthText = (health: EndpointHealth, now: number): string =>
  textOf(health, (since) => timeOrDate(since, now))

/** Most urgent first. */
const STATES = ['failing', 'paused', 'healthy', 'unused'] as const

/** Returns the health of several endpoints on one line: `endpoint 4 failing since 12:00:00Z · 2 endpoints healthy`. */
export function healthSummary(endpoints: readonly ControlEndpoint[], now: number): string {
  const today = new Date(now).toISOString().slice(0, 10)
  return STATES.flatMap((state) => {
    const [first, ...others] = endpoints.filter(({ health }) => health?.state === state)
    if (!first?.health) return []
    const word = state === 'unused' ? 'never used' : state
    if (others.length > 0) return [`${grouped(others.length + 1)} endpoints ${word}`]
    const { since } = first.health
    const from =
      since === null ? '' : ` since ${since.startsWith(today) ? utcTime(since) : since.slice(0, 10)}`
    return [`endpoint ${first.id} ${word}${from}`]
  }).join(' · ')
}
