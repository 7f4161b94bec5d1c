import { expect, it } from 'vitest'
import type { ReferenceServer } from '../../src/index.ts'
import { listen } from '../delivery/world.ts'
import { ask, openServer } from '../support/server.ts'

let server: ReferenceServer

const catalog = (query: string) => ask(server, 'GET', `/_app/catalog${query}`)

it('has forms, endpoints and delivery logs in one response', async () => {
  server = openServer({ clock: 'manual' })
  const receiver = await listen()
  const first = server.app.forms.publish(server.app.forms.create({ title: 'First' }).id)
  const second = server.app.forms.create({ title: 'Second' })
  const hooks = [
    await server.app.webhooks.create(first.id, { url: `${receiver.url}a` }),
    await server.app.webhooks.create(first.id, { url: `${receiver.url}b` }),
    await server.app.webhooks.create(second.id, { url: `${receiver.url}c` }),
  ]
  server.app.webhooks.test(first.id, 1)
  const response = server.app.responses.create(first.id, { answers: [], deliver: true })
  await server.clock.advance('1m')

  const { json: body, text } = await catalog('?include=forms,endpoints,deliveries,clock,faults,receiver')
  expect(Object.keys(body.data)).toEqual(['forms', 'endpoints', 'deliveries', 'clock', 'faults', 'receiver'])
  expect(body.data.forms.map((form: { title: string }) => form.title)).toEqual(['Second', 'First'])
  expect(body.data.endpoints).toMatchObject([
    { id: 3, form_id: second.id, url: `${receiver.url}c`, active: true, built_in: false },
    { id: 2, form_id: first.id, url: `${receiver.url}b` },
    { id: 1, form_id: first.id, url: `${receiver.url}a` },
  ])
  expect(
    body.data.deliveries.map((one: Record<string, unknown>) => [one.webhook_id, one.response_id, one.status]),
  ).toEqual([
    [2, response.id, 'delivered'],
    [1, response.id, 'delivered'],
    [1, 0, 'delivered'],
  ])
  expect(body.data.clock).toMatchObject({ mode: 'manual' })
  expect([body.data.faults, body.data.receiver]).toEqual([[], null])
  for (const { secret } of hooks) expect(text).not.toContain(secret)
  expect(text).not.toContain(server.writeKey)
})

it('[DLV-07] lists the deliveries of all endpoints newest first, also at the same instant', async () => {
  server = openServer({ clock: 'manual' })
  const receiver = await listen()
  const ids: string[] = []
  for (const title of ['First', 'Second']) {
    const { id } = server.app.forms.publish(server.app.forms.create({ title }).id)
    await server.app.webhooks.create(id, { url: receiver.url })
    ids.push(id)
  }
  const [first = '', second = ''] = ids
  const order = [first, second, first, second, first]
  for (const form of order) server.app.responses.create(form, { answers: [], deliver: true })
  const { json: body } = await catalog('?include=deliveries')
  expect(body.data.deliveries.map((one: { form_id: string }) => one.form_id)).toEqual(order.toReversed())
  expect(new Set(body.data.deliveries.map((one: { created_at: string }) => one.created_at)).size).toBe(1)
})

it('has at most 10,000 deliveries: with more than 200 endpoints, each has a shorter log', async () => {
  // Nothing is sent: the names do not resolve, and the clock stands still.
  server = openServer({
    clock: 'manual',
    limits: 'off',
    dns: {},
    unspecified: { unresolvableHost: 'accepted' },
  })
  const { id } = server.app.forms.create({ title: 'Busy' })
  for (let index = 0; index < 400; index++) {
    const hook = await server.app.webhooks.create(id, { url: 'https://hooks.example.com/x' })
    if (index < 2) for (let sent = 0; sent < 40; sent++) server.app.webhooks.test(id, hook.id)
  }
  const { json: body } = await catalog('?include=deliveries')
  expect(body.data.deliveries).toHaveLength(2 * 25)
})

it.each(['', '?include=', '?include=forms,nothing', '?include=forms,,keys'])(
  'refuses %j and names the parts',
  async (query) => {
    server = openServer()
    const { status, json: body } = await catalog(query)
    expect(status).toBe(422)
    expect(body.error.details).toEqual({ field: 'include' })
    expect(body.error.message).toMatch(/^include must be some of clock, workspaces, users, keys, forms, /)
  },
)
