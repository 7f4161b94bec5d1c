import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createBench } from './engine-bench.ts'

const PAUSED = 'The endpoint is paused. Resume it and replay this delivery.'

/** 20 deliveries to one endpoint that is not answered: 8 in flight, 12 queued behind them. */
async function queueTwenty() {
  const bench = createBench(() => true)
  const { id, secret } = await bench.webhooks.create(bench.formId, { url: 'http://127.0.0.1:9/' })
  bench.secrets.push(secret)
  const responses = Array.from(
    { length: 20 },
    () => bench.responses.create(bench.formId, { deliver: true }).id,
  )
  await turn()
  expect(bench.requests).toHaveLength(8)
  /** Lets all end that is in flight, and all that is due within the schedule. */
  const finish = async () => {
    bench.release()
    await bench.clock.advance('15h')
  }
  return { ...bench, endpointId: id, responseIds: responses, finish }
}

describe('deliveries that are queued behind those in flight', () => {
  it('[HOOK-07] fail with a note when their endpoint is paused, and are not sent after it is resumed', async () => {
    const { webhooks, formId, endpointId, deliveries, requests, finish } = await queueTwenty()
    webhooks.pause(formId, endpointId)
    webhooks.resume(formId, endpointId)
    await finish()
    expect(requests).toHaveLength(8)
    const log = deliveries.list(formId, endpointId).map(({ status, note }) => `${status} ${note}`)
    expect(log).toEqual([...Array(12).fill(`failed ${PAUSED}`), ...Array(8).fill('delivered null')])
  })

  it('[HOOK-03] are not sent after their endpoint is deleted', async () => {
    const { webhooks, formId, endpointId, requests, finish } = await queueTwenty()
    webhooks.delete(formId, endpointId)
    await finish()
    expect(requests).toHaveLength(8)
  })

  it('[HOOK-08] are signed with the secret that is valid when they are sent', async () => {
    const { webhooks, formId, endpointId, secrets, requests, finish } = await queueTwenty()
    secrets.push(webhooks.rotateSecret(formId, endpointId).secret)
    await finish()
    const signedWith = requests.map(({ secret }) => secrets.indexOf(secret) + 1)
    expect(signedWith).toEqual([...Array(8).fill(1), ...Array(12).fill(2)])
  })

  it('[DLV-06] are not sent after their response is deleted', async () => {
    const { responses, formId, responseIds, requests, finish } = await queueTwenty()
    responses.delete(formId, responseIds[15]!)
    await finish()
    expect(requests).toHaveLength(19)
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
