import type { EndpointHealth } from '@formwire/contract/control'
import { expect, it } from 'vitest'
import { healthSummary } from '../../src/control/endpoints.ts'
import { ServerClock } from '../../src/control/server-clock.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')

const endpoints = (...states: [state: EndpointHealth['state'], since?: string][]) =>
  states.map(([state, since = null], at) => ({ id: at + 1, health: { state, since, not_sent: 0 } }))

it('[HOOK-07] sums up the health of endpoints on one line, the most urgent first', () => {
  expect(healthSummary(endpoints(), NOW)).toBe('')
  expect(
    healthSummary(
      endpoints(
        ['healthy'],
        ['paused', '2026-11-20T08:00:00.000Z'],
        ['failing', '2026-11-21T11:59:00.000Z'],
        ['healthy'],
        ['unused'],
      ),
      NOW,
    ),
  ).toBe(
    'endpoint 3 failing since 11:59:00Z · endpoint 2 paused since 2026-11-20 · 2 endpoints healthy · endpoint 5 never used',
  )
})

it('follows the clock of a server: with the time that passes here, or not at all if it is manual', () => {
  let here = NOW
  const clock = new ServerClock({ now: () => here })
  expect(clock.now()).toBe(NOW)
  clock.set({ mode: 'real', now: '2026-11-22T12:00:00.000Z' })
  here += 1000
  expect(clock.now()).toBe(Date.parse('2026-11-22T12:00:01.000Z'))
  clock.set({ mode: 'manual', now: '2026-11-22T12:00:00.000Z' })
  here += 1000
  expect(clock.now()).toBe(Date.parse('2026-11-22T12:00:00.000Z'))
})
