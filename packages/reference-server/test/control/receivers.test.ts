import { request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ManualClock } from '../../src/clock/index.ts'
import { Receivers } from '../../src/control/receivers.ts'
import { createWorld, type Json, START, START_SECONDS, type World } from '../delivery/world.ts'
import { sendSigned } from '../support/signed.ts'

const send = async (url: string, secret: string, timestamp = START_SECONDS): Promise<number> =>
  (await sendSigned(url, secret, { id: 'd1', timestamp })).status

const create = async (world: World, settings?: object): Promise<Json> => {
  const { status, body } = await world.control('POST', '/_app/receivers', settings)
  expect(status).toBe(201)
  return body.data
}

const isRefused = (url: string): Promise<string> =>
  fetch(url).then(
    () => 'connected',
    (error: Error) => (error.cause as { code: string }).code,
  )

describe('/_app/receivers', () => {
  it('starts a receiver that responds with 200, without a body or a secret', async () => {
    const world = await createWorld()
    const receiver = await create(world)
    expect(receiver).toEqual({
      id: 1,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      script: [],
      secret: null,
    })
    expect((await fetch(receiver.url, { method: 'POST' })).status).toBe(200)
    expect((await create(world, {})).id).toBe(2)
    const list = (await world.control('GET', '/_app/receivers')).body
    expect([list.data.map(({ id }: Json) => id), list.meta.total]).toEqual([[1, 2], 2])
    expect((await world.control('GET', '/_app/receivers/1')).body.data).toEqual(receiver)
  })

  it('[DLV-04] tells in the catalog what each has received and does next, without secrets', async () => {
    const world = await createWorld()
    const states = async () => (await world.control('GET', '/_app/catalog?include=receivers')).body.data
    expect(await states()).toEqual({ receivers: [] })
    const { url } = await create(world, { script: ['500', 'reset'] })
    const other = await create(world, { script: ['500'], secret: `whsec_${'s'.repeat(32)}` })
    expect(await states()).toEqual({
      receivers: [
        { id: 1, url, next_step: '500', steps_left: 2, received: 0, unverified: 0 },
        { id: 2, url: other.url, next_step: '500', steps_left: 1, received: 0, unverified: 0 },
      ],
    })
    await fetch(url, { method: 'POST' })
    // The signature is missing, so the response is 401 and the step is kept.
    await fetch(other.url, { method: 'POST' })
    expect(await states()).toEqual({
      receivers: [
        { id: 1, url, next_step: 'reset', steps_left: 1, received: 1, unverified: 0 },
        { id: 2, url: other.url, next_step: '500', steps_left: 1, received: 1, unverified: 1 },
      ],
    })
    await expect(fetch(url, { method: 'POST' })).rejects.toThrow()
    expect((await states()).receivers[0]).toMatchObject({ next_step: null, steps_left: 0, received: 2 })
  })

  it('[DLV-06] plays its script for deliveries, and shows them oldest first with the status sent', async () => {
    const world = await createWorld()
    const receiver = await create(world, { script: ['500', 'reset', { status: 202, body: 'done' }] })
    const hook = await world.control('POST', `/_app/forms/${world.formId}/webhooks`, {
      url: `${receiver.url}hooks?from=test`,
    })
    const set = await world.control('PUT', '/_app/receivers/1', { secret: hook.body.data.secret })
    expect(set.body.data).toEqual({ ...receiver, secret: hook.body.data.secret })
    world.submit()
    await world.server.clock.advance('6m')
    const { data } = (await world.control('GET', '/_app/receivers/1/deliveries')).body
    expect(data).toMatchObject([
      { received_at: '2026-11-21T09:30:00.000Z', verified: true, status: 500, attempt: 1 },
      { received_at: '2026-11-21T09:31:00.000Z', verified: true, status: null, attempt: 2 },
      { received_at: '2026-11-21T09:36:00.000Z', verified: true, status: 202, attempt: 3 },
    ])
    const [delivery] = world.server.app.deliveries.list(world.formId, hook.body.data.id)
    expect(data[2]).toEqual({
      received_at: '2026-11-21T09:36:00.000Z',
      method: 'POST',
      path: '/hooks?from=test',
      headers: expect.objectContaining({
        'content-type': 'application/json',
        'x-service-delivery': delivery?.id,
        'x-service-timestamp': String(START_SECONDS + 360),
      }),
      body_base64: expect.any(String),
      payload: delivery?.payload,
      verified: true,
      verification_error: null,
      status: 202,
      delivery_id: delivery?.id,
      attempt: 3,
      event: 'response.submitted',
    })
    expect(Buffer.from(data[2].body_base64, 'base64').toString()).toBe(
      world.server.app.deliveries.get(delivery?.id ?? '').raw_body,
    )
    expect(delivery).toMatchObject({ status: 'delivered', receiver_answer: 'done' })
  })

  it('[DLV-04] responds with 401 to what does not verify, by the clock of the server', async () => {
    const world = await createWorld()
    const { url } = await create(world, { secret: ['whsec_one', 'whsec_two'], script: ['204'] })
    expect(await send(url, 'whsec_two', START_SECONDS - 301)).toBe(401)
    expect(await send(url, 'whsec_two', START_SECONDS - 300)).toBe(204)
    await world.server.clock.advance('10m')
    expect(await send(url, 'whsec_one', START_SECONDS + 600)).toBe(200)
    const { data } = (await world.control('GET', '/_app/receivers/1/deliveries')).body
    expect(data.map(({ verified, verification_error: error }: Json) => [verified, error])).toEqual([
      [false, 'timestamp_too_old'],
      [true, null],
      [true, null],
    ])
    await world.control('PUT', '/_app/receivers/1', { secret: null })
    expect(await send(url, 'whsec_other')).toBe(200)
  })

  it('replaces the script and keeps what was recorded', async () => {
    const world = await createWorld()
    const { id, url } = await create(world, { script: [500, 500, 500] })
    const post = async (): Promise<number> =>
      (await fetch(url, { method: 'POST', redirect: 'manual' })).status
    expect(await post()).toBe(500)
    const set = await world.control('PUT', `/_app/receivers/${id}/script`, { script: ['redirect', 503] })
    expect([set.status, set.body.data.script]).toEqual([200, ['redirect', 503]])
    expect([await post(), await post(), await post()]).toEqual([302, 503, 200])
    await world.control('PUT', `/_app/receivers/${id}`, { script: ['418'] })
    expect(await post()).toBe(418)
    const { data } = (await world.control('GET', `/_app/receivers/${id}/deliveries`)).body
    expect(data.map(({ status }: Json) => status)).toEqual([500, 302, 503, 200, 418])
  })

  it.each([
    [{ script: 'x' }, 'script', 'script must be an array of steps, such as ["500", "timeout", "200"].'],
    [{ script: null }, 'script', 'script must be an array of steps, such as ["500", "timeout", "200"].'],
    [
      { script: ['200', 'boom'] },
      'script',
      /^script\[1\]: Invalid step "boom": must be a status from 200 to 599/,
    ],
    [{ script: [{ status: 20 }] }, 'script', /status must be an integer from 200 to 999/],
    [{ script: [{ headers: { 'a b': '' } }] }, 'script', /headers\["a b"\] is not a valid HTTP header/],
    [{ script: [{ headers: { a: '\n' } }] }, 'script', /headers\["a"\] is not a valid HTTP header/],
    [{ script: [{ body: 5 }] }, 'script', /body must be a string or bytes/],
    [{ script: [{ delayMs: 5 }] }, 'script[0].delayMs', 'Unknown field "delayMs"; did you mean "delay_ms"?'],
    [{ script: [null] }, 'script[0]', 'script[0] must be an object.'],
    [{ secret: ' ' }, 'secret', /^secret must be an endpoint's secret/],
    [{ secret: [] }, 'secret', /^secret must be/],
    [{ secret: 5 }, 'secret', /^secret must be/],
    [{ scripts: [] }, 'scripts', 'Unknown field "scripts"; did you mean "script"?'],
  ])('refuses %j with 422 and changes nothing', async (settings, field, message) => {
    const world = await createWorld()
    const receiver = await create(world, { script: ['500'], secret: 'whsec_kept' })
    for (const [method, path] of [
      ['POST', '/_app/receivers'],
      ['PUT', '/_app/receivers/1'],
    ] as const) {
      const { status, body } = await world.control(method, path, settings)
      expect([status, body.error.code, body.error.details]).toEqual([422, 'validation_failed', { field }])
      expect(body.error.message).toMatch(message)
    }
    expect((await world.control('GET', '/_app/receivers')).body.data).toEqual([receiver])
    expect(await send(receiver.url, 'whsec_kept')).toBe(500)
  })

  it('requires a script at …/script, and changes neither when one of script and secret is invalid', async () => {
    const world = await createWorld()
    const receiver = await create(world, { script: ['500'], secret: 'whsec_kept' })
    const none = await world.control('PUT', '/_app/receivers/1/script', {})
    expect([none.status, none.body.error.details]).toEqual([422, { field: 'script' }])
    const bad = await world.control('PUT', '/_app/receivers/1/script', { script: ['nope'] })
    expect([bad.status, bad.body.error.details]).toEqual([422, { field: 'script' }])
    const half = await world.control('PUT', '/_app/receivers/1', { secret: 'whsec_new', script: ['nope'] })
    expect(half.status).toBe(422)
    expect((await world.control('GET', '/_app/receivers/1')).body.data).toEqual(receiver)
    expect(await send(receiver.url, 'whsec_kept')).toBe(500)
  })

  it.each(['DELETE', 'reset', 'app.reset', 'close'])(
    'ends receivers and their open requests: %s',
    async (how) => {
      const world = await createWorld()
      const { url } = await create(world, {
        script: ['timeout', 'endless-body', 'drip', 'hang-body', 'slow(999999)'],
      })
      const open = Array.from({ length: 5 }, () =>
        fetch(url, { method: 'POST' })
          .then((response) => response.arrayBuffer())
          .then(
            () => 'complete',
            () => 'cut off',
          ),
      )
      await expect
        .poll(async () => (await world.control('GET', '/_app/receivers/1/deliveries')).body.data.length)
        .toBe(5)
      if (how === 'DELETE') {
        const { status, body } = await world.control('DELETE', '/_app/receivers/1')
        expect([status, body]).toEqual([200, { data: { id: 1, deleted: true } }])
      } else if (how === 'reset') await world.control('POST', '/_app/reset')
      else if (how === 'app.reset') world.server.app.reset()
      else await world.server.close()
      expect(await Promise.all(open)).toEqual(Array(5).fill('cut off'))
      expect(await isRefused(url)).toBe('ECONNREFUSED')
      if (how === 'close') return
      for (const [method, path] of [
        ['GET', '/_app/receivers/1'],
        ['GET', '/_app/receivers/1/deliveries'],
        ['PUT', '/_app/receivers/1'],
        ['PUT', '/_app/receivers/1/script'],
        ['DELETE', '/_app/receivers/1'],
      ] as const) {
        const { status } = await world.control(method, path, method === 'PUT' ? { script: [] } : undefined)
        expect([method, path, status]).toEqual([method, path, 404])
      }
      expect((await create(world)).id).toBe(2)
    },
  )

  it('refuses more than 100 receivers, and a script of more than 1000 steps', async () => {
    const world = await createWorld()
    const long = await world.control('POST', '/_app/receivers', { script: Array(1001).fill(200) })
    expect([long.status, long.body.error.message]).toEqual([
      422,
      'script must have at most 1000 steps, got 1001.',
    ])
    const made = await Promise.all(
      Array.from({ length: 101 }, () => world.control('POST', '/_app/receivers', {})),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(100)
    const refused = made.find(({ status }) => status === 422)
    expect(refused?.body.error.message).toContain('100 receivers are running')
    expect(new Set(made.map(({ body }) => body.data?.id)).size).toBe(101)
  })

  it('keeps the latest deliveries, up to a number and up to a size', async () => {
    const receivers = new Receivers(new ManualClock(START), { deliveries: 3, bodyBytes: 100 })
    const { id, url } = await receivers.create({})
    const post = (path: string, bytes = 1) =>
      fetch(url + path, { method: 'POST', body: 'x'.repeat(bytes) }).then((response) =>
        response.arrayBuffer(),
      )
    const kept = (): string[] => receivers.deliveries(id).map(({ path }) => path)
    for (const path of ['1', '2', '3', '4']) await post(path)
    expect(kept()).toEqual(['/2', '/3', '/4'])
    await post('5', 99)
    expect(kept()).toEqual(['/4', '/5'])
    await post('6', 200)
    expect(kept()).toEqual(['/6'])
    await receivers.close()
  })

  it('forgets the delivery ids of deliveries that it has dropped or cleared', async () => {
    const receivers = new Receivers(new ManualClock(START), { deliveries: 10 })
    onTestFinished(() => receivers.close())
    const { id, url } = await receivers.create({})
    const post = (delivery: string) =>
      fetch(url, { method: 'POST', headers: { 'x-service-delivery': delivery } })
    await post('dlv_again')
    await post('dlv_again')
    expect(receivers.deliveries(id).map(({ attempt }) => attempt)).toEqual([1, 2])
    receivers.restart(id)
    await post('dlv_again')
    expect(receivers.deliveries(id).map(({ attempt }) => attempt)).toEqual([1])
    for (let sent = 0; sent < 10; sent += 1) await post(`dlv_${sent}`)
    await post('dlv_again')
    expect(receivers.deliveries(id).map(({ attempt }) => attempt)).toEqual(Array(10).fill(1))
  })

  it('closes the connection when a scripted response cannot be written', async () => {
    const world = await createWorld()
    const { url } = await create(world, { script: [{ headers: { trailer: 'x', 'content-length': '1' } }] })
    const ended = new Promise((resolve) => {
      request(url, { method: 'POST' }, () => resolve('response'))
        .on('error', () => resolve('cut off'))
        .end()
    })
    expect(await ended).toBe('cut off')
    expect((await fetch(url, { method: 'POST' })).status).toBe(200)
  })
})
