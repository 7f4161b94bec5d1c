import { describe, expect, it } from 'vitest'
import { type AttemptPlan, attempt } from '../../src/http/attempt.ts'
import type { TransportRequest } from '../../src/index.ts'
import { ManualClock } from '../support/manual-clock.ts'

function plan(clock: ManualClock, limits: Partial<AttemptPlan> = {}): AttemptPlan {
  return {
    method: 'GET',
    url: 'http://formwire.test/api/v1/me',
    headers: {},
    body: undefined,
    maxResponseBytes: 1000,
    clock,
    timeoutMs: Number.POSITIVE_INFINITY,
    totalLeftMs: Number.POSITIVE_INFINITY,
    signal: undefined,
    ...limits,
  }
}

describe('an attempt', () => {
  it('sets no timer if neither limit is finite', () => {
    const clock = new ManualClock()
    void attempt(() => new Promise(() => {}), plan(clock))
    expect(clock.pending).toBe(0)
  })

  it('calls a listener at once that is added after the attempt has timed out', async () => {
    const clock = new ManualClock()
    let request: TransportRequest | undefined
    const outcome = attempt(
      (sent) => {
        request = sent
        return new Promise(() => {})
      },
      plan(clock, { timeoutMs: 500 }),
    )
    const calls: string[] = []
    request?.onAbort(() => calls.push('early'))
    await clock.advance(500)
    expect(await outcome).toEqual({ kind: 'timeout', total: false })
    request?.onAbort(() => calls.push('late'))
    expect(calls).toEqual(['early', 'late'])
    expect(request?.signal.aborted).toBe(true)
  })
})
