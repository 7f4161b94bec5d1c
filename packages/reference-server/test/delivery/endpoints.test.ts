import { describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { createWorld, START_SECONDS } from './world.ts'

const PAUSED = 'The endpoint is paused. Resume it and replay this delivery.'

describe('pause and resume', () => {
  it('[HOOK-07] fails pending deliveries with a note to resume and replay, and sends nothing new', async () => {
    const { server, formId, submit, receive, log } = await createWorld()
    const { receiver, id } = await receive({ script: ['500'] })
    submit('waits')
    await server.clock.advance(0)
    expect(server.app.webhooks.pause(formId, id).active).toBe(false)
    expect(log(id)).toEqual([{ status: 'failed', attempts: 1, note: PAUSED }])
    submit('while paused')
    await server.clock.advance('15h')
    expect(receiver.deliveries).toHaveLength(1)
    expect(log(id)).toHaveLength(1)
  })

  it('[HOOK-07] sends new responses after resuming, but none submitted while paused', async () => {
    const { server, formId, submit, receive } = await createWorld()
    const { receiver, id } = await receive()
    server.app.webhooks.pause(formId, id)
    submit('in between')
    expect(server.app.webhooks.resume(formId, id).active).toBe(true)
    submit('after')
    await server.clock.advance('15h')
    expect(receiver.deliveries.map((delivery) => delivery.payload?.response.answers[0]?.value)).toEqual([
      'after',
    ])
  })

  it.each([
    ['200', 'delivered', null],
    ['500', 'failed', PAUSED],
  ])('[HOOK-07] lets an attempt in flight end: after %s it is %s', async (step, status, note) => {
    const { server, formId, submit, receive, log } = await createWorld()
    const { receiver, id } = await receive({ script: [{ status: Number(step), delayMs: 100 }] })
    submit()
    await receiver.waitFor(1, PATIENT)
    server.app.webhooks.pause(formId, id)
    expect(log(id)).toEqual([{ status: 'pending', attempts: 0, note: null }])
    await server.clock.advance('15h')
    expect(log(id)).toEqual([{ status, attempts: 1, note }])
    expect(receiver.deliveries).toHaveLength(1)
  })

  it('[HOOK-07] applies to an attempt in flight also when the endpoint is resumed meanwhile', async () => {
    const { server, formId, submit, receive, log } = await createWorld()
    const { receiver, id } = await receive({ script: [{ status: 500, delayMs: 100 }] })
    submit()
    await receiver.waitFor(1, PATIENT)
    server.app.webhooks.pause(formId, id)
    server.app.webhooks.resume(formId, id)
    await server.clock.advance('15h')
    expect(log(id)).toEqual([{ status: 'failed', attempts: 1, note: PAUSED }])
  })

  it('[HOOK-07] refuses test events and replays while paused', async () => {
    const { server, formId, submit, receive, control } = await createWorld()
    const { id } = await receive()
    submit()
    await server.clock.advance(0)
    const [entry] = server.app.deliveries.list(formId, id)
    server.app.webhooks.pause(formId, id)
    for (const path of [
      `/_app/forms/${formId}/webhooks/${id}/test`,
      `/_app/deliveries/${entry?.id}/replay`,
    ]) {
      const { status, body } = await control('POST', path)
      expect([status, body.error.code]).toEqual([422, 'validation_failed'])
    }
    expect(server.app.deliveries.list(formId, id)).toHaveLength(1)
  })

  it('[HOOK-07] replays deliveries failed by the pause once resumed', async () => {
    const { server, formId, submit, receive, log } = await createWorld()
    const { receiver, id } = await receive({ script: ['500'] })
    submit()
    await server.clock.advance(0)
    server.app.webhooks.pause(formId, id)
    server.app.webhooks.resume(formId, id)
    server.app.deliveries.replay(server.app.deliveries.list(formId, id)[0]!.id)
    await server.clock.advance(0)
    expect(log(id)).toEqual([
      { status: 'delivered', attempts: 1, note: null },
      { status: 'failed', attempts: 1, note: PAUSED },
    ])
    expect(receiver.deliveries[1]?.rawBody).toEqual(receiver.deliveries[0]?.rawBody)
    expect(receiver.deliveries[1]?.id).not.toBe(receiver.deliveries[0]?.id)
  })

  it('[HOOK-07] pauses and resumes over HTTP, idempotently', async () => {
    const { formId, receive, control } = await createWorld()
    const { receiver, id } = await receive()
    const act = (action: string) => control('POST', `/_app/forms/${formId}/webhooks/${id}/${action}`)
    const view = { id, url: receiver.url, created_at: '2026-11-21T09:30:00.000Z' }
    expect((await act('pause')).body.data).toMatchObject({ ...view, active: false })
    expect((await act('pause')).body.data).toMatchObject({ ...view, active: false })
    expect((await act('resume')).body.data).toMatchObject({ ...view, active: true })
    expect((await act('resume')).status).toBe(200)
  })
})

describe('a new secret', () => {
  it('[HOOK-08] signs pending retries, and the old secret is invalid immediately', async () => {
    const { server, formId, submit, receive } = await createWorld()
    const { receiver, id, secret } = await receive({ script: ['500'] })
    submit()
    await server.clock.advance(0)
    const rotated = server.app.webhooks.rotateSecret(formId, id)
    expect(rotated).toEqual({ id, secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{40}$/) })
    expect(rotated.secret).not.toBe(secret)
    receiver.secrets = [secret, rotated.secret]
    await server.clock.advance('1m')
    expect(receiver.deliveries.map(({ verified, secretIndex }) => [verified, secretIndex])).toEqual([
      [true, 0],
      [true, 1],
    ])
  })

  it('[HOOK-08] returns id and secret over HTTP, and no list shows a secret', async () => {
    const { formId, receive, control, api } = await createWorld()
    const { id } = await receive()
    const { status, body } = await control('POST', `/_app/forms/${formId}/webhooks/${id}/rotate-secret`)
    expect([status, Object.keys(body.data)]).toEqual([200, ['id', 'secret']])
    for (const list of [
      await api('GET', `/api/v1/forms/${formId}/webhooks`),
      await control('GET', `/_app/forms/${formId}/webhooks`),
      await control('GET', `/_app/forms/${formId}/webhooks/${id}/deliveries`),
    ]) {
      expect(JSON.stringify(list.body)).not.toContain('whsec_')
    }
  })
})

describe('delete', () => {
  it('[HOOK-03] removes the log and drops pending deliveries', async () => {
    const { server, formId, submit, receive, control } = await createWorld()
    const { receiver, id } = await receive({ script: ['500'] })
    submit()
    await server.clock.advance(0)
    const [entry] = server.app.deliveries.list(formId, id)
    server.app.webhooks.delete(formId, id)
    await server.clock.advance('15h')
    expect(receiver.deliveries).toHaveLength(1)
    expect((await control('GET', `/_app/deliveries/${entry?.id}`)).status).toBe(404)
    expect((await control('POST', `/_app/deliveries/${entry?.id}/replay`)).status).toBe(404)
    expect((await control('GET', `/_app/forms/${formId}/webhooks/${id}/deliveries`)).status).toBe(404)
  })

  it('[HOOK-03] does not record an attempt in flight', async () => {
    const { server, formId, submit, receive } = await createWorld()
    const { receiver, id } = await receive({ script: [{ status: 500, delayMs: 100 }] })
    submit()
    await receiver.waitFor(1, PATIENT)
    server.app.webhooks.delete(formId, id)
    await server.clock.advance('15h')
    expect(receiver.deliveries).toHaveLength(1)
  })

  it('[HOOK-03] returns 200 with id and deleted, then 404', async () => {
    const { formId, receive, api } = await createWorld()
    const { id } = await receive()
    const path = `/api/v1/forms/${formId}/webhooks/${id}`
    expect(await api('DELETE', path)).toEqual({ status: 200, body: { data: { id, deleted: true } } })
    expect((await api('DELETE', path)).status).toBe(404)
  })

  it('[HOOK-03] returns 204 without a body with webhookDelete: 204', async () => {
    const { formId, receive, api } = await createWorld({ unspecified: { webhookDelete: '204' } })
    const { id } = await receive()
    expect(await api('DELETE', `/api/v1/forms/${formId}/webhooks/${id}`)).toEqual({ status: 204, body: null })
  })

  it('[HOOK-02] never reuses an id', async () => {
    const { server, formId, hook } = await createWorld()
    const { id } = await hook('http://127.0.0.1:9/')
    server.app.webhooks.delete(formId, id)
    expect((await hook('http://127.0.0.1:9/')).id).toBe(id + 1)
  })
})

describe('endpoints', () => {
  it('[HOOK-02] returns 201 with the secret, which is never shown again', async () => {
    const { formId, api } = await createWorld()
    const { status, body } = await api('POST', `/api/v1/forms/${formId}/webhooks`, {
      url: 'http://127.0.0.1:9/in?a=1',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: 1,
        url: 'http://127.0.0.1:9/in?a=1',
        active: true,
        created_at: '2026-11-21T09:30:00.000Z',
        secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{40}$/),
      },
    })
  })

  it('[HOOK-01] lists endpoints without their secrets, in pages', async () => {
    const { formId, hook, api } = await createWorld()
    await hook('http://127.0.0.1:9/one')
    await hook('http://127.0.0.1:9/two')
    expect(await api('GET', `/api/v1/forms/${formId}/webhooks`)).toEqual({
      status: 200,
      body: {
        data: [
          { id: 1, url: 'http://127.0.0.1:9/one', active: true, created_at: '2026-11-21T09:30:00.000Z' },
          { id: 2, url: 'http://127.0.0.1:9/two', active: true, created_at: '2026-11-21T09:30:00.000Z' },
        ],
        meta: { page: 1, per_page: 25, total: 2 },
      },
    })
    const second = await api('GET', `/api/v1/forms/${formId}/webhooks?page=2&per_page=1`)
    expect(second.body.data.map((endpoint: { id: number }) => endpoint.id)).toEqual([2])
    expect(second.body.meta).toEqual({ page: 2, per_page: 1, total: 2 })
  })

  it('[HOOK-01] lists more fields with webhookListExtras', async () => {
    const { formId, hook, api } = await createWorld({ unspecified: { webhookListExtras: 'true' } })
    await hook('http://127.0.0.1:9/')
    const { body } = await api('GET', `/api/v1/forms/${formId}/webhooks`)
    expect(Object.keys(body.data[0])).toEqual(['id', 'url', 'active', 'created_at', 'form_id', 'events'])
  })

  it.each([
    ['422', 422, 'validation_failed'],
    ['403', 403, 'forbidden'],
  ] as const)(
    '[HOOK-06] accepts ten endpoints per form; the eleventh is %s',
    async (eleventhEndpoint, status, code) => {
      const { formId, hook, api, server } = await createWorld({
        limits: {},
        unspecified: { eleventhEndpoint },
      })
      for (let number = 1; number <= 10; number += 1) await hook(`http://127.0.0.1:9/${number}`)
      const eleventh = await api('POST', `/api/v1/forms/${formId}/webhooks`, { url: 'http://127.0.0.1:9/11' })
      expect([eleventh.status, eleventh.body.error.code]).toEqual([status, code])
      server.app.webhooks.delete(formId, 3)
      expect(
        (await api('POST', `/api/v1/forms/${formId}/webhooks`, { url: 'http://127.0.0.1:9/11' })).status,
      ).toBe(201)
    },
  )

  it('[HOOK-06] counts endpoints that are added concurrently', async () => {
    const { formId, server, api } = await createWorld({ limits: { webhooksPerForm: 3 } })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, number) =>
        api('POST', `/api/v1/forms/${formId}/webhooks`, { url: `http://127.0.0.1:9/${number}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(server.app.webhooks.list(formId)).toHaveLength(3)
  })

  it('[HOOK-09] limits the endpoints of a workspace by its plan', async () => {
    const { server, control } = await createWorld()
    const workspace = server.app.workspaces.create({ name: 'Small', plan: 'starter' })
    const form = server.app.forms.create({ title: 'F', workspace_id: workspace.id })
    const other = server.app.forms.create({ title: 'G', workspace_id: workspace.id })
    for (let number = 1; number <= 20; number += 1) {
      await server.app.webhooks.create(number % 2 ? form.id : other.id, {
        url: `http://127.0.0.1:9/${number}`,
      })
    }
    const one = await control('POST', `/_app/forms/${form.id}/webhooks`, { url: 'http://127.0.0.1:9/21' })
    expect([one.status, one.body.error.code]).toEqual([422, 'validation_failed'])
  })

  it('[AUTH-12] returns 404 for an endpoint of another form', async () => {
    const { server, formId, receive, api, control } = await createWorld()
    const { id } = await receive()
    const other = server.app.forms.create({ title: 'Other' })
    for (const wrong of [String(id + 1), '0', '1.0', 'x', '01', '%31%30']) {
      expect((await api('DELETE', `/api/v1/forms/${formId}/webhooks/${wrong}`)).status).toBe(404)
    }
    expect((await api('DELETE', `/api/v1/forms/${other.id}/webhooks/${id}`)).status).toBe(404)
    expect((await control('POST', `/_app/forms/${other.id}/webhooks/${id}/pause`)).status).toBe(404)
    expect((await control('GET', `/_app/forms/${other.id}/webhooks/${id}/deliveries`)).status).toBe(404)
  })

  it('[DLV-01] creates a delivery per endpoint with the same body', async () => {
    const { server, submit, receive } = await createWorld()
    const one = await receive()
    const two = await receive()
    submit()
    await server.clock.advance(0)
    const [first] = one.receiver.deliveries
    const [second] = two.receiver.deliveries
    expect(first?.id).not.toBe(second?.id)
    expect(first?.rawBody).toEqual(second?.rawBody)
    expect(first?.signature).not.toBe(second?.signature)
    expect([first?.timestamp, second?.timestamp]).toEqual([START_SECONDS, START_SECONDS])
  })
})
