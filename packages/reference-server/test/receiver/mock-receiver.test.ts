import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { createMockReceiver, type MockReceiver, type ScriptStep, slow } from '../../src/receiver/index.ts'
import { listen } from '../delivery/world.ts'
import { sendSigned, signed } from '../support/signed.ts'

const SECRET = 'whsec_0123456789'

/** Sends deliveries with these ids one after the other, and returns the statuses of the responses. */
async function statusesOf(receiver: MockReceiver, ...ids: string[]): Promise<number[]> {
  const statuses = []
  for (const id of ids) statuses.push((await send(receiver, { id })).status)
  return statuses
}

/** Sends a signed delivery like the service. */
const send = (
  receiver: MockReceiver,
  { secret = SECRET, ...more }: { secret?: string; id?: string; signal?: AbortSignal } = {},
) => sendSigned(receiver.url, secret, more)

describe('createMockReceiver', () => {
  it('[DLV-05] plays its script in turn and responds with 200 after the last step', async () => {
    const made = { status: 201, body: 'made', headers: { 'x-a': 'b' } }
    const receiver = await listen({ script: ['500', 302, 'redirect', made] })
    const answers = []
    const left = []
    for (let count = 0; count < 5; count += 1) {
      left.push(receiver.stepsLeft)
      answers.push(await send(receiver))
    }
    expect(answers.map(({ status }) => status)).toEqual([500, 302, 302, 201, 200])
    expect(left).toEqual([4, 3, 2, 1, 0])
    expect(answers[2]?.headers.get('location')).toBe('/redirected')
    expect([answers[3]?.headers.get('x-a'), await answers[3]?.text()]).toEqual(['b', 'made'])
  })

  it('[DLV-05] plays a script per delivery id, or for a single id', async () => {
    const receiver = await listen({ script: ['500', '404'], scriptPer: 'delivery' })
    receiver.respondTo('dlv_c', '418')
    expect(await statusesOf(receiver, 'a', 'b', 'a', 'b', 'a', 'dlv_c', 'dlv_c')).toEqual([
      500, 500, 404, 404, 200, 418, 200,
    ])
  })

  it('[DLV-05] accepts more steps while it is running', async () => {
    const receiver = await listen()
    receiver.respond('503', 'slow(1)', slow(1, 202))
    expect(await statusesOf(receiver, 'a', 'b', 'c', 'd')).toEqual([503, 200, 202, 200])
  })

  it.each(['timeout', 'hang-body', 'endless-body', 'drip'])(
    '[DLV-05] continues %s until the sender gives up',
    async (step) => {
      const receiver = await listen({ script: [step] })
      const sender = new AbortController()
      let hasEnded = false
      const body = send(receiver, { signal: sender.signal })
        .then((response) => response.text())
        .finally(() => {
          hasEnded = true
        })
      const given = expect(body).rejects.toThrow('aborted')
      await receiver.waitFor(1, PATIENT)
      for (let turns = 0; turns < 20; turns += 1) await turn()
      expect(hasEnded).toBe(false)
      sender.abort()
      await given
      expect(receiver.deliveries).toHaveLength(1)
    },
  )

  it.each(['reset', 'garbage'])('[DLV-05] breaks the connection for %s', async (step) => {
    const receiver = await listen({ script: [step] })
    await expect(send(receiver)).rejects.toThrow()
    expect((await send(receiver)).status).toBe(200)
  })

  it.each(['soon', '99', '600', 100, 'slow', 'slow(-1)', '', '0200', ' 200', '2e2', null, [], Number.NaN])(
    'rejects the step %j',
    (step) => {
      expect(() => createMockReceiver({ script: [step as ScriptStep] })).toThrow('Invalid step')
    },
  )

  it.each([
    [{ status: 42 }, 'status must be an integer from 200 to 999'],
    [{ status: '200' }, 'status must be an integer from 200 to 999'],
    [{ delayMs: -1 }, 'delayMs must be from 0 to 3600000 milliseconds'],
    [{ delayMs: Number.NaN }, 'delayMs must be from 0 to 3600000 milliseconds'],
    [{ ending: 'soon' }, 'ending must be one of whole, hang-body, endless-body, drip'],
  ])('rejects the response %j: %s', (step, message) => {
    expect(() => createMockReceiver({ script: [step as ScriptStep] })).toThrow(message)
  })

  it('disconnects when a body is too large and keeps running', async () => {
    const receiver = await listen()
    const large = fetch(receiver.url, { method: 'POST', body: Buffer.alloc(16 * 1_048_576 + 1) })
    await expect(large).rejects.toThrow()
    expect(receiver.deliveries).toEqual([])
    expect((await send(receiver)).status).toBe(200)
  })

  it('[DLV-04] records raw bytes, headers and their parsed values', async () => {
    const receiver = await listen({ secret: SECRET })
    const { headers, body } = signed(SECRET, 'dlv_9')
    await fetch(`${receiver.url}in?x=1`, { method: 'POST', headers: { ...headers }, body })
    const [delivery] = receiver.deliveries
    expect(delivery).toMatchObject({
      id: 'dlv_9',
      attempt: 1,
      event: 'response.submitted',
      timestamp: 1_795_253_400,
      signature: headers['X-Service-Signature'],
      method: 'POST',
      path: '/in?x=1',
      payload: { event: 'response.submitted', response: { id: 7 } },
      verified: true,
      secretIndex: 0,
      verificationError: null,
    })
    expect(delivery?.rawBody).toEqual(Buffer.from(body))
  })

  it('[DLV-04] responds with 401 to a delivery that does not verify and records the reason', async () => {
    const receiver = await listen({ secret: SECRET })
    expect((await send(receiver, { secret: 'whsec_other' })).status).toBe(401)
    expect((await fetch(receiver.url, { method: 'POST', body: 'not JSON' })).status).toBe(401)
    expect(receiver.deliveries.map(({ verified }) => verified)).toEqual([false, false])
    expect(receiver.deliveries.map(({ verificationError }) => typeof verificationError)).toEqual([
      'string',
      'string',
    ])
    expect(receiver.deliveries[1]).toMatchObject({ id: '', event: '', payload: null })
  })

  it('[HOOK-08] verifies across a rotation and records which secret matched', async () => {
    const receiver = await listen({ secret: [SECRET, 'whsec_new'] })
    await send(receiver)
    await send(receiver, { secret: 'whsec_new' })
    receiver.secrets = ['whsec_new']
    await send(receiver)
    expect(receiver.deliveries.map(({ verified, secretIndex }) => [verified, secretIndex])).toEqual([
      [true, 0],
      [true, 1],
      [false, null],
    ])
  })

  it('[DLV-04] rejects an old signature when it has a clock', async () => {
    const receiver = await listen({ secret: SECRET, toleranceSeconds: 300, now: () => 1_795_253_701_000 })
    expect((await send(receiver)).status).toBe(401)
  })

  it('waits for a number of deliveries, for members, or for a predicate', async () => {
    const receiver = await listen()
    const three = receiver.waitFor(3, PATIENT)
    const second = receiver.waitFor({ id: 'dlv_2', payload: { response: { id: 7 } } }, PATIENT)
    const odd = receiver.waitFor(({ id }) => id === 'dlv_3', PATIENT)
    for (const id of ['dlv_1', 'dlv_2', 'dlv_3']) await send(receiver, { id })
    expect((await three).map(({ id }) => id)).toEqual(['dlv_1', 'dlv_2', 'dlv_3'])
    expect((await second).id).toBe('dlv_2')
    expect((await odd).id).toBe('dlv_3')
    expect((await receiver.waitFor({ id: 'dlv_1' })).id).toBe('dlv_1')
    const [{ rawBody } = { rawBody: Buffer.alloc(0) }] = receiver.deliveries
    const sameLength = { rawBody: { length: rawBody.length } }
    expect((await receiver.waitFor(sameLength)).id).toBe('dlv_1')
    const truthy = (({ id }) => id) as (delivery: { id: string }) => never
    expect((await receiver.waitFor(truthy)).id).toBe('dlv_1')
  })

  it('fails a wait whose predicate throws, but not the request', async () => {
    const receiver = await listen()
    const wait = receiver.waitFor(() => {
      throw new Error('no such member')
    }, PATIENT)
    const failure = expect(wait).rejects.toThrow('no such member')
    expect((await send(receiver)).status).toBe(200)
    await failure
  })

  it('shows the closest deliveries when a wait times out', async () => {
    const receiver = await listen({ secret: SECRET })
    await expect(receiver.waitFor(1, { timeoutMs: 10 })).rejects.toThrow(
      'Timed out after 10 ms waiting for 1 deliveries. Nothing was received.',
    )
    await send(receiver, { id: 'dlv_far' })
    await send(receiver, { id: 'dlv_near' })
    await expect(
      receiver.waitFor({ id: 'dlv_near', payload: { response: { id: 8 } } }, { timeoutMs: 10 }),
    ).rejects.toThrow(
      [
        'Timed out after 10 ms waiting for a delivery that matches. Received 2, the closest:',
        '  dlv_near attempt 1: response.submitted, response 7, verified',
        '    payload.response.id: 7, expected 8',
        '  dlv_far attempt 1: response.submitted, response 7, verified',
        '    id: "dlv_far", expected "dlv_near"',
        '    payload.response.id: 7, expected 8',
      ].join('\n'),
    )
    await expect(receiver.waitFor(3, { timeoutMs: 10 })).rejects.toThrow(
      'Received 2, the latest:\n  dlv_near attempt 1: response.submitted, response 7, verified',
    )
  })

  it('clears its recorded deliveries, and closes while requests are hanging', async () => {
    const receiver = await listen({ script: ['200', 'timeout', 'endless-body', 'drip', slow(60_000)] })
    await send(receiver)
    receiver.clear()
    expect(receiver.deliveries).toEqual([])
    const sent = Promise.allSettled(
      [0, 1, 2, 3].map(() => send(receiver).then((response) => response.text())),
    )
    expect((await receiver.waitFor(4, PATIENT))[0]?.attempt).toBe(1)
    await receiver.close()
    expect((await sent).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  })
})
