import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AttemptResult } from '../../src/delivery/sender.ts'
import type { Unspecified } from '../../src/unspecified.ts'
import { createBench } from './engine-bench.ts'
import { START } from './world.ts'

const FAILED: AttemptResult = { httpStatus: 500, error: 'http_500', receiverAnswer: '' }
const TIMED_OUT: AttemptResult = { httpStatus: null, error: 'timeout', receiverAnswer: null }

/** One endpoint whose attempts fail unless the test says otherwise. `deliver` creates a delivery and starts its attempt. */
async function openBench(unspecified: Partial<Unspecified> = {}, elapsed = () => 0) {
  const bench = createBench(() => false, { unspecified, elapsed })
  const { formId, webhooks, deliveries, responses } = bench
  const { id: endpointId, secret } = await webhooks.create(formId, { url: 'http://127.0.0.1:9/' })
  bench.secrets.push(secret)
  /** The id of the newest delivery. */
  const newest = (): string => deliveries.list(formId, endpointId)[0]!.id
  const deliver = async () => {
    const { id: responseId } = responses.create(formId, { deliver: true })
    await turn()
    return { id: newest(), responseId }
  }
  const test = async () => {
    webhooks.test(formId, endpointId)
    await turn()
    return newest()
  }
  const titles = () => bench.requests.map(({ title }) => title)
  return { ...bench, bench, endpointId, deliver, test, titles }
}

it('[DLV-11] lowers the concurrency of an endpoint with each timeout', async () => {
  const { requests, responses, formId, answerOne } = await openBench()
  for (let count = 0; count < 20; count += 1) responses.create(formId, { deliver: true })
  await turn()
  for (let count = 0; count < 8; count += 1) answerOne(0, TIMED_OUT)
  expect(requests).toHaveLength(9)
})

describe('an attempt in flight', () => {
  it('[DLV-06] changes nothing when its delivery is retried', async () => {
    const { requests, changes, deliveries, deliver } = await openBench()
    const { id } = await deliver()
    const before = changes.length
    expect(deliveries.retry(id)).toMatchObject({ id, status: 'pending', attempts: 0 })
    await turn()
    expect([changes.length, requests.length]).toEqual([before, 1])
  })

  it('[DLV-06] is not recorded, and nothing follows it, after the engine is closed', async () => {
    const { clock, engine, changes, requests, deliver, answerOne, responses, formId } = await openBench()
    await deliver()
    const wakeAt = vi.spyOn(clock, 'wakeAt')
    await engine.close()
    const before = changes.length
    answerOne(0)
    expect(changes).toHaveLength(before)
    responses.create(formId, { deliver: true })
    await clock.advance('15h')
    expect(requests).toHaveLength(1)
    expect(wakeAt).not.toHaveBeenCalled()
  })

  it('is published at its start and its end, if there is a subscriber at its start', async () => {
    const { endpointId, deliver, answerOne } = await openBench()
    const messages: unknown[] = []
    const listeners = ['start', 'end'].map((name) => {
      const listener = (message: unknown) => messages.push([name, { ...(message as object) }])
      const channel = `formwire:delivery:attempt:${name}`
      onTestFinished(() => {
        unsubscribe(channel, listener)
      })
      return () => subscribe(channel, listener)
    })
    await deliver()
    for (const listen of listeners) listen()
    answerOne(0)
    expect(messages).toEqual([])
    const { id: deliveryId } = await deliver()
    answerOne(0, TIMED_OUT)
    expect(messages).toEqual([
      ['start', { deliveryId, endpointId, attempt: 1 }],
      ['end', { deliveryId, endpointId, attempt: 1, httpStatus: null, error: 'timeout' }],
    ])
  })
})

describe('a delivery that was stopped during an attempt that a snapshot does not have', () => {
  const DELETED = 'The response was deleted before this delivery reached its receiver.'
  it('[HOOK-07] fails with its note, and is not sent again', async () => {
    const { bench, context, requests, deliveries, webhooks, formId, endpointId, deliver } = await openBench()
    const { id } = await deliver()
    webhooks.pause(formId, endpointId)
    bench.replaceState(JSON.parse(JSON.stringify(context.state.dump())), START)
    await turn()
    expect(requests).toHaveLength(1)
    expect(deliveries.get(id)).toMatchObject({
      status: 'failed',
      note: 'The endpoint is paused. Resume it and replay this delivery.',
      next_attempt_at: null,
      attempts: [],
    })
  })

  it('[HOOK-03] is not sent without its endpoint', async () => {
    const { bench, context, requests, deliver } = await openBench()
    await deliver()
    const dump = JSON.parse(JSON.stringify(context.state.dump()))
    dump.endpoints.endpoints = []
    bench.replaceState(dump, START)
    await turn()
    expect(requests).toHaveLength(1)
  })

  it('[DLV-06] fails as one of a deleted response if it has no payload', async () => {
    const { bench, context, requests, deliveries, deliver } = await openBench()
    const { id } = await deliver()
    const dump = JSON.parse(JSON.stringify(context.state.dump()))
    dump.deliveries.deliveries[0].body = null
    bench.replaceState(dump, START)
    await turn()
    expect(requests).toHaveLength(1)
    expect(deliveries.get(id)).toMatchObject({ status: 'failed', note: DELETED })
  })
})

describe('the body of a retry', () => {
  it('[DLV-06] is stored only if it differs', async () => {
    const { clock, bench, changes, deliver } = await openBench({ retriedBody: 'fresh' })
    await deliver()
    bench.release()
    await clock.advance('1m')
    // Created, then one for each outcome.
    expect(changes.map(({ attempts }) => attempts.length)).toEqual([0, 1, 2])
  })

  it('[DLV-06] of a test event is made again, with the instant of the first', async () => {
    const { clock, formId, forms, bench, deliveries, test, titles } = await openBench({
      retriedBody: 'fresh',
    })
    const id = await test()
    forms.update(formId, { title: 'G' })
    bench.release()
    await clock.advance('1m')
    expect(titles()).toEqual(['F', 'G'])
    expect(deliveries.get(id).payload).toMatchObject({
      event: 'test.ping',
      response: { id: 0, submitted_at: '2026-11-21T09:30:00.000Z' },
    })
  })

  it('[DLV-06] stays that of a response that was deleted', async () => {
    const { clock, formId, forms, responses, bench, deliver, titles } = await openBench({
      retriedBody: 'fresh',
      deletedResponseDeliveries: 'kept',
    })
    const { responseId } = await deliver()
    forms.update(formId, { title: 'G' })
    responses.delete(formId, responseId)
    bench.release()
    await clock.advance('1m')
    expect(titles()).toEqual(['F', 'F'])
  })
})

it('[DLV-07] measures an attempt in real milliseconds, to the microsecond', async () => {
  let elapsedMs = 1_000
  const bench = createBench(() => true, { elapsed: () => elapsedMs })
  const { id, secret } = await bench.webhooks.create(bench.formId, { url: 'http://127.0.0.1:9/' })
  bench.secrets.push(secret)
  bench.responses.create(bench.formId, { deliver: true })
  await turn()
  elapsedMs = 1_042.12345
  bench.answerOne(0)
  const [entry] = bench.deliveries.list(bench.formId, id)
  expect(bench.deliveries.get(entry!.id).attempts.map(({ duration_ms }) => duration_ms)).toEqual([42.123])
})

it('[DLV-07] leaves out the milliseconds that an attempt waited for the sender to load', async () => {
  let elapsedMs = 1_000
  const { deliver, answerOne, deliveries } = await openBench({}, () => elapsedMs)
  const { id } = await deliver()
  elapsedMs = 1_050
  answerOne(0, { ...FAILED, waitedMs: 20 })
  expect(deliveries.get(id).attempts[0]?.duration_ms).toBe(30)
})
