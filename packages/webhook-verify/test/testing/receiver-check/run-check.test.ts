import { globalClock } from '@formwire/internal/clock'
import { ReceiverUnreachableError } from '@formwire/webhook-verify/testing'
import { describe, expect, it, vi } from 'vitest'
import type { ReceiverCheckName } from '../../../src/testing/receiver-check/checks.ts'
import { deliverySource, type Probe } from '../../../src/testing/receiver-check/probe.ts'
import { type CheckRun, runCheck } from '../../../src/testing/receiver-check/run-check.ts'
import { IdleClock } from './idle-clock.ts'

const DUPLICATES = ['same_delivery_twice', 'same_response_new_delivery_id', 'concurrent_duplicates'] as const

/** A run whose receiver responds to each request with the next status, and counts with the next number. */
function runWith(statuses: readonly (number | Error)[], counts?: readonly number[]) {
  const clock = new IdleClock()
  const sent: Probe[] = []
  const sentAt: number[] = []
  const readAt: number[] = []
  const start = clock.now()
  const run: CheckRun = {
    secret: 'whsec_test',
    next: deliverySource('whsec_test', () => clock.now()),
    sender: {
      impossible: { not_post: 'no method' },
      async send(probe) {
        const status = statuses[sent.length] ?? statuses.at(-1) ?? 200
        sent.push(probe)
        sentAt.push(clock.now() - start)
        if (status instanceof Error) throw status
        return { status }
      },
    },
    clock,
    readCount: counts && (async () => counts[readAt.push(clock.now() - start) - 1] as number),
    stop: new AbortController().signal,
    lastResponseAt: 0,
  }
  return { run, sent, sentAt, readAt, clock }
}

const headersOf = (probe: Probe | undefined) => Object.fromEntries(probe?.headers ?? [])
const failing = (code: string | undefined) => Object.assign(new TypeError('failed'), code && { code })

describe('a check of one request', () => {
  it('leaves no timer behind', async () => {
    vi.useFakeTimers()
    try {
      await runCheck('genuine', { ...runWith([204]).run, clock: globalClock })
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('reads the body of a response only if it may explain the status', async () => {
    const { run } = runWith([])
    const read: ReceiverCheckName[] = []
    const outcome = async (name: ReceiverCheckName, status: number) => {
      run.sender.send = async () => ({ status, start: async () => `${read.push(name)}` })
      return (await runCheck(name, run)).status
    }
    // As expected; accepted, as the hint says; refused for another reason; and as the genuine one was.
    expect(await outcome('genuine', 204)).toBe(204)
    expect(await outcome('tampered_body', 200)).toBe(200)
    expect(read).toEqual([])
    expect(await outcome('genuine', 500)).toBe(500)
    expect(read).toEqual(['genuine'])
    expect(await outcome('old_timestamp', 500)).toBe(500)
    expect(read).toEqual(['genuine'])
  })

  it.each([
    ['ECONNRESET', 'the connection was closed'],
    ['EPIPE', 'the connection was closed'],
    ['EPROTO', 'EPROTO'],
    [undefined, 'TypeError'],
  ])('fails without a response, because of %s', async (code, reason) => {
    expect(await runCheck('genuine', runWith([failing(code)]).run)).toEqual({
      status: null,
      passed: false,
      hint: `The receiver sent no response (${reason}): respond to every delivery, within 10 seconds, before any long work.`,
    })
  })

  it('rejects if the receiver cannot be reached, or the run is stopped', async () => {
    const unreachable = new ReceiverUnreachableError('http://a', failing('ECONNREFUSED'))
    for (const name of ['genuine', ...DUPLICATES] as const)
      await expect(runCheck(name, runWith([unreachable], [0, 1]).run)).rejects.toBe(unreachable)
    const { run, sent } = runWith([200])
    const stop = AbortSignal.abort(new Error('stopped'))
    await expect(runCheck('genuine', { ...run, stop })).rejects.toThrow('stopped')
    expect(sent).toEqual([])
    const stopping = new AbortController()
    const send = () => {
      stopping.abort(new Error('stopped'))
      return Promise.reject(new Error('aborted'))
    }
    const sender = { send, impossible: {} }
    await expect(runCheck('genuine', { ...run, sender, stop: stopping.signal })).rejects.toThrow('stopped')
  })
})

describe('the patience of a check', () => {
  it('ends after 15 seconds, and sends no duplicates of what got no response', async () => {
    const { run, clock } = runWith([])
    const signals: AbortSignal[] = []
    run.sender.send = (_probe, signal) => {
      signals.push(signal)
      return new Promise<never>(() => undefined)
    }
    const hint = (reason: string) => expect.stringContaining(`sent no response (${reason})`)
    expect((await runCheck('genuine', run)).hint).toEqual(hint('none within 15 seconds'))
    expect([clock.elapsed, signals.map(({ aborted }) => aborted)]).toEqual([15_000, [true]])
    const verdict = { status: null, passed: false, hint: hint('genuine got none') }
    expect(await runCheck('concurrent_duplicates', run)).toEqual(verdict)
    expect(signals).toHaveLength(1)
  })

  it.each([
    [10_000, true],
    [10_001, false],
  ])('[DLV-05] after %i ms, fast_enough is %s', async (ms, passed) => {
    const { run, clock } = runWith([])
    run.sender.send = async () => {
      await clock.sleep(ms)
      return { status: 200 }
    }
    expect(await runCheck('fast_enough', run)).toMatchObject({ status: 200, passed })
    expect(await runCheck('genuine', run)).toMatchObject({ status: 200, passed: true })
  })
})

describe('a check of duplicates', () => {
  it('sends the same delivery twice with a new signature', async () => {
    const { run, sent } = runWith([200, 202])
    expect(await runCheck('same_delivery_twice', run)).toEqual({
      status: 202,
      passed: true,
      hint: 'Judged by status only: the count was not checked.',
    })
    const [first, second] = sent.map(headersOf)
    expect([sent.length, sent[0]?.body === sent[1]?.body]).toEqual([2, true])
    expect(second).toEqual({
      ...first,
      'X-Service-Timestamp': String(Number(first?.['X-Service-Timestamp']) + 1),
      'X-Service-Signature': expect.not.stringMatching(String(first?.['X-Service-Signature'])),
    })
    expect(Number(first?.['X-Service-Timestamp'])).toBe(Math.floor(run.clock.now() / 1000) - 1)
  })

  it.each(['same_delivery_twice', 'same_response_new_delivery_id'] as const)(
    '%s does not repeat what was refused',
    async (name) => {
      const { run, sent } = runWith([500, 200])
      expect(await runCheck(name, run)).toMatchObject({ status: 500, passed: false })
      expect(sent).toHaveLength(1)
      expect(await runCheck(name, runWith([200, 409]).run)).toMatchObject({ status: 409, passed: false })
    },
  )

  it.each([
    [[200], { status: 200, passed: true }],
    [[409, 409, 200, 409, 409], { status: 200, passed: true }],
    [[409], { status: 409, passed: false }],
    [[200, 409, 500, 200, 200], { status: 500, passed: false }],
  ])('five copies at once with the statuses %j', async (statuses, verdict) => {
    const { run, sent } = runWith(statuses)
    expect(await runCheck('concurrent_duplicates', run)).toMatchObject(verdict)
    expect([sent.length, new Set(sent).size]).toEqual([5, 1])
  })

  it('waits 2 seconds after the latest response before it reads the count', async () => {
    const { run, sentAt, readAt } = runWith([200], [7, 8])
    run.lastResponseAt = run.clock.now() - 500
    expect(await runCheck('concurrent_duplicates', run)).toEqual({ status: 200, passed: true, hint: null })
    expect([readAt, sentAt[0]]).toEqual([[1_500, 3_500], 1_500])
  })

  it.each([
    [[7, 9], /^The response was handled 2 times\. The receiver does not cope with copies/],
    [[7, 7], /^The receiver accepted a new response, but the count of handled responses did not change/],
  ])('fails with the counts %j', async (counts, hint) => {
    const { run } = runWith([200], counts)
    const verdict = await runCheck('concurrent_duplicates', run)
    expect(verdict).toEqual({ status: 200, passed: false, hint: expect.stringMatching(hint) })
  })

  it('does not read the count again after a wrong status', async () => {
    const { run, readAt } = runWith([500], [7])
    expect(await runCheck('concurrent_duplicates', run)).toMatchObject({ status: 500, passed: false })
    expect(readAt).toHaveLength(1)
  })

  it.each([
    [new Error('it is not a whole number'), 'it is not a whole number'],
    ['text', 'it failed'],
  ])('fails if the count cannot be read: %s', async (error, reason) => {
    const readCount = () => Promise.reject(error)
    expect(await runCheck('concurrent_duplicates', { ...runWith([200]).run, readCount })).toEqual({
      status: null,
      passed: false,
      hint: `The count of handled responses could not be read (${reason}): check its URL, and respond with the number as plain text.`,
    })
  })
})
