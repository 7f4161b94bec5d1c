import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { createWorld, type Json, type World } from '../delivery/world.ts'
import { deferred } from '../support/deferred.ts'

const wait = (world: World, body: object): Promise<{ status: number; body: Json }> =>
  // A busy machine may need more than the default.
  world.control('POST', '/_app/wait', { timeout_ms: 15_000, ...body })

describe('POST /_app/wait', () => {
  it('returns a request, a delivery or a response that is already recorded', async () => {
    const world = await createWorld()
    const { receiver, id } = await world.receive()
    await world.api('GET', '/api/v1/forms?status=closed&page=2')
    world.submit('Ada')
    await world.server.clock.advance(0)
    const request = await wait(world, {
      for: 'request',
      match: { path: '/api/v1/forms', status: 200 },
      timeout_ms: 0,
    })
    expect(request.status).toBe(200)
    expect(request.body.data).toEqual(world.server.app.requests.list()[0])
    const delivery = await wait(world, {
      for: 'delivery',
      match: { status: 'delivered', payload: { response: { answers: [{ value: 'Ada' }] } } },
      timeout_ms: 0,
    })
    expect(delivery.body.data).toEqual(world.server.app.deliveries.list(world.formId, id)[0])
    const response = await wait(world, { for: 'response', match: { form_id: world.formId }, timeout_ms: 0 })
    expect(response.body).toEqual((await world.api('GET', `/api/v1/forms/${world.formId}/responses/1`)).body)
    expect(receiver.deliveries).toHaveLength(1)
  })

  it('waits for what comes later', async () => {
    const world = await createWorld()
    await world.receive({ script: ['500', '200'] })
    const later = Promise.all([
      wait(world, { for: 'request', match: { path: '/api/v1/me' } }),
      wait(world, { for: 'delivery', match: { status: 'delivered' } }),
      wait(world, { for: 'response', match: { answers: [{ text: 'Grace' }] } }),
    ])
    world.submit('Ada')
    await world.api('GET', '/api/v1/me')
    world.submit('Grace')
    await world.server.clock.advance('1m')
    const [request, delivery, response] = await later
    expect([request.body.data.status, delivery.body.data.status, response.body.data.id]).toEqual([
      200,
      'delivered',
      2,
    ])
  })

  it('notices a change of a delivery or a draft that it has compared before', async () => {
    const world = await createWorld()
    await world.receive({ script: ['500', '200'] })
    world.submit()
    const waiting = wait(world, { for: 'delivery', match: { attempts: 2 } })
    await wait(world, { for: 'delivery', match: { attempts: 1 } })
    await world.server.clock.advance('1m')
    expect((await waiting).body.data).toMatchObject({ status: 'delivered', attempts: 2 })
  })

  it('without a match, returns the latest', async () => {
    const world = await createWorld()
    await world.receive()
    world.submit('Ada')
    world.submit('Grace')
    await world.server.clock.advance(0)
    await world.api('GET', '/api/v1/me')
    await world.api('GET', '/api/v1/forms')
    for (const rest of [{}, { match: {} }]) {
      const [request, delivery, response] = await Promise.all([
        wait(world, { for: 'request', ...rest }),
        wait(world, { for: 'delivery', ...rest }),
        wait(world, { for: 'response', ...rest }),
      ])
      expect([request.body.data.path, delivery.body.data.response_id, response.body.data.id]).toEqual([
        '/api/v1/forms',
        2,
        2,
      ])
    }
  })

  it('compares the query of a request as text or by its parameters', async () => {
    const world = await createWorld()
    await world.api('GET', '/api/v1/forms?status=closed&page=2')
    for (const query of ['status=closed&page=2', { page: '2' }, { status: 'closed', page: '2' }]) {
      const { body } = await wait(world, { for: 'request', match: { query }, timeout_ms: 0 })
      expect([query, body.data.query]).toEqual([query, 'status=closed&page=2'])
    }
    const { status, body } = await wait(world, {
      for: 'request',
      match: { query: { page: 2 } },
      timeout_ms: 0,
    })
    expect([status, body.error.details.nearest]).toEqual([
      408,
      'Recorded 1, the closest:\n  #1 GET /api/v1/forms?status=closed&page=2 → 200\n    query.page: "2", expected 2',
    ])
  })

  it('times out with 408 and what came closest', async () => {
    const world = await createWorld({ unspecified: { errorDetails: 'none' } })
    expect((await wait(world, { for: 'delivery', timeout_ms: 0 })).body).toEqual({
      error: {
        code: 'timeout',
        message:
          'Timed out after 0 ms waiting for a delivery that matches. The clock is manual: POST /_app/clock/advance for anything that is scheduled for later.',
        details: { nearest: 'None were recorded.' },
      },
    })
    await world.receive({ script: ['500'] })
    world.submit('Ada')
    await wait(world, { for: 'delivery', match: { attempts: 1 } })
    const { status, body } = await wait(world, {
      for: 'delivery',
      match: { status: 'delivered', payload: { response: { id: 2 } } },
      timeout_ms: 20,
    })
    expect(status).toBe(408)
    expect(body.error.details.nearest).toMatch(
      /^Recorded 1, the closest:\n {2}dlv_\w+ response\.submitted of response 1 to endpoint 1: pending after 1 attempt, last status 500, next at 2026-11-21T09:31:00\.000Z\n {4}status: "pending", expected "delivered"\n {4}payload\.response\.id: 1, expected 2$/,
    )
    const response = await wait(world, { for: 'response', match: { answers: [] }, timeout_ms: 0 })
    expect(response.body.error.details.nearest).toContain('response 1 of form')
  })

  it('shows the three closest of many', async () => {
    const world = await createWorld({ clock: 'real' })
    for (const path of ['/api/v1/me', '/api/v1/forms', '/api/v1/nothing', '/api/v1/me'])
      await world.api('GET', path)
    const { body } = await wait(world, {
      for: 'request',
      match: { path: '/api/v1/forms', status: 404 },
      timeout_ms: 0,
    })
    expect(body.error.message).toBe('Timed out after 0 ms waiting for a request that matches.')
    expect(body.error.details.nearest).toBe(
      [
        'Recorded 4, the closest:',
        '  #3 GET /api/v1/nothing → 404',
        '    path: "/api/v1/nothing", expected "/api/v1/forms"',
        '  #2 GET /api/v1/forms → 200',
        '    status: 200, expected 404',
        '  #4 GET /api/v1/me → 200',
        '    path: "/api/v1/me", expected "/api/v1/forms"',
        '    status: 200, expected 404',
      ].join('\n'),
    )
  })

  it('finds a response however many came after it', async () => {
    const world = await createWorld()
    world.submit('The first')
    for (let i = 0; i < 600; i += 1) world.submit(`Number ${i}`)
    const { body } = await wait(world, {
      for: 'response',
      match: { answers: [{ value: 'The first' }] },
      timeout_ms: 0,
    })
    expect(body.data.id).toBe(1)
  })

  it('continues after a reset', async () => {
    const world = await createWorld()
    await world.api('GET', '/api/v1/forms')
    const waiting = wait(world, { for: 'request', match: { path: '/api/v1/me' } })
    await world.control('POST', '/_app/reset')
    await world.api('GET', '/api/v1/me')
    expect((await waiting).body.data).toMatchObject({ number: 1, path: '/api/v1/me' })
  })

  it.each([
    [{}, 'for', 'for must be one of request, delivery, response.'],
    [{ for: 'form' }, 'for', 'for must be one of request, delivery, response.'],
    [{ for: 'request', match: null }, 'match', 'match must be an object.'],
    [{ for: 'request', match: [] }, 'match', 'match must be an object.'],
    [{ for: 'request', timeout_ms: -1 }, 'timeout_ms', 'timeout_ms must be an integer from 0 to 60000.'],
    [{ for: 'request', timeout_ms: 60_001 }, 'timeout_ms', 'timeout_ms must be an integer from 0 to 60000.'],
    [{ for: 'request', timeout_ms: '5' }, 'timeout_ms', 'timeout_ms must be an integer from 0 to 60000.'],
    [{ for: 'request', timeout_ms: null }, 'timeout_ms', 'timeout_ms must be an integer from 0 to 60000.'],
    [{ for: 'request', timeout: 5 }, 'timeout', 'Unknown field "timeout"; did you mean "timeout_ms"?'],
    [{ for: 'request', matches: {} }, 'matches', 'Unknown field "matches"; did you mean "match"?'],
  ])('refuses %j with 422', async (body, field, message) => {
    const world = await createWorld()
    expect(await wait(world, body)).toEqual({
      status: 422,
      body: { error: { code: 'validation_failed', message, details: { field } } },
    })
  })

  it('limits the size of a match', async () => {
    const world = await createWorld()
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)
    const messages = [{ a: Array(1000).fill(1) }, deep].map(
      async (match) => (await wait(world, { for: 'request', match })).body.error.message,
    )
    expect(await Promise.all(messages)).toEqual([
      'match must have at most 1000 values.',
      'match must be at most 32 levels deep.',
    ])
  })

  it('does not match inherited members', async () => {
    const world = await createWorld()
    await world.api('GET', '/api/v1/me')
    for (const text of ['{"constructor":{}}', '{"__proto__":{}}', '{"toString":{}}']) {
      const { status } = await wait(world, { for: 'request', match: JSON.parse(text), timeout_ms: 0 })
      expect([text, status]).toEqual([text, 408])
    }
  })

  it('is ended by a closing server', async () => {
    const world = await createWorld()
    await world.server.listen({ port: 0 })
    const waiting = wait(world, { for: 'request', timeout_ms: 60_000 })
    // The wait has begun once a later request on the same server is through.
    await world.control('GET', '/_app/clock')
    await world.server.close()
    expect((await waiting).status).toBe(500)
  })

  it('ends when the client disconnects, so that abandoned waits among 256 do not block others', async () => {
    const world = await createWorld()
    const { url } = await world.server.listen({ port: 0 })
    const ask = (timeout_ms: number) => ({
      method: 'POST',
      headers: { authorization: `Bearer ${world.server.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ for: 'request', timeout_ms }),
    })
    const status = async (): Promise<number> => (await fetch(`${url}/_app/wait`, ask(0))).status
    const abandoned = new AbortController()
    // The server counts those of its own process, too.
    let timedOut = 0
    const staying = Array.from({ length: 248 }, async () => {
      await world.server.fetch(new Request(`${url}/_app/wait`, ask(60_000)))
      timedOut += 1
    })
    const leaving = Array.from({ length: 8 }, () =>
      fetch(`${url}/_app/wait`, { ...ask(60_000), signal: abandoned.signal }),
    )
    await expect.poll(status).toBe(429)
    abandoned.abort()
    expect((await Promise.allSettled(leaving)).map((one) => one.status)).toEqual(Array(8).fill('rejected'))
    await expect.poll(status).toBe(408)
    expect(timedOut).toBe(0)
    await world.server.close()
    await Promise.all(staying)
  })

  it('does not block the deliveries that it waits for', async () => {
    const world = await createWorld({ clock: 'real' })
    const { promise: requested, resolve: request } = deferred<ServerResponse>()
    await world.hook(await serve((_request, response) => request(response)))
    world.submit()
    const waiting = wait(world, { for: 'delivery', match: { status: 'delivered' }, timeout_ms: 60_000 })
    ;(await requested).end()
    expect((await waiting).body.data.http_status).toBe(200)
  })
})
