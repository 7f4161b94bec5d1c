import { describe, expect, it } from 'vitest'
import type { ReferenceServer } from '../../src/index.ts'
import type { ReferenceServerOptions } from '../../src/options.ts'
import { ask, openServer } from '../support/server.ts'

async function start(options: ReferenceServerOptions = { seed: 'demo' }) {
  const server = openServer({ clock: 'manual', ...options })
  await server.listen({ port: 0 })
  const call = (method: string, path: string, body?: unknown) => ask(server, method, `/_app${path}`, body)
  return { server, call }
}

const builtIn = (server: ReferenceServer) => server.app.webhooks.all().filter((one) => one.built_in)

/** Sends a test event to the first built-in endpoint. Returns its id after the first attempt. */
async function ping(server: ReferenceServer): Promise<string> {
  const [endpoint] = builtIn(server)
  const { id } = server.app.webhooks.test(endpoint?.form_id as string, endpoint?.id as number)
  await server.clock.advance(0)
  return id
}

describe('the built-in receiver', () => {
  it('lets a test event of every active endpoint of the demo succeed', async () => {
    const { server } = await start()
    const active = server.app.webhooks.all().filter((endpoint) => endpoint.active)
    expect(active.length).toBeGreaterThan(0)
    for (const { form_id: form, id } of active) {
      const { id: delivery } = server.app.webhooks.test(form, id)
      await server.clock.advance(0)
      expect(server.app.deliveries.get(delivery)).toMatchObject({ status: 'delivered', http_status: 200 })
    }
  })

  it('fails by its script, then succeeds again', async () => {
    const { server, call } = await start()
    const { status } = await call('PUT', '/receivers/built-in/script', { script: ['500', 'reset'] })
    expect(status).toBe(200)
    const id = await ping(server)
    expect((await call('GET', '/receivers/built-in')).json.data).toMatchObject({ steps_left: 1, received: 1 })
    await server.clock.advance('10m')
    const { attempts } = server.app.deliveries.get(id)
    expect(attempts.map(({ error }) => error)).toEqual(['http_500', 'reset', null])
    const { json: body } = await call('GET', '/receivers/built-in')
    expect(body.data).toMatchObject({ script: ['500', 'reset'], steps_left: 0, received: 3 })
  })

  it('refuses an invalid script, and keeps the one before', async () => {
    const { call } = await start()
    await call('PUT', '/receivers/built-in/script', { script: ['503'] })
    for (const body of [{ script: ['nonsense'] }, { script: 'x' }, {}, { script: [], more: 1 }])
      expect((await call('PUT', '/receivers/built-in/script', body)).status).toBe(422)
    expect((await call('GET', '/receivers/built-in')).json.data).toMatchObject({ script: ['503'] })
  })

  it('is not one of the receivers that a suite starts', async () => {
    const { call } = await start()
    expect((await call('GET', '/receivers')).json.data).toEqual([])
    expect((await call('POST', '/receivers')).json.data).toMatchObject({ id: 1 })
    expect((await call('DELETE', '/receivers/built-in')).status).toBe(404)
  })

  it('forgets its script at a reset, and the endpoints still point to it', async () => {
    const { server, call } = await start()
    await call('PUT', '/receivers/built-in/script', { script: ['500'] })
    const before = builtIn(server).map(({ url }) => url)
    await call('POST', '/reset')
    expect((await call('GET', '/receivers/built-in')).json.data).toMatchObject({ script: [], received: 0 })
    expect(builtIn(server).map(({ url }) => url)).toEqual(before)
    expect(server.app.deliveries.get(await ping(server)).status).toBe('delivered')
  })

  it('is followed by the endpoints of a snapshot that another server starts from', async () => {
    const { server } = await start()
    const snapshot = server.app.snapshot.take()
    const { server: next } = await start({ snapshot })
    expect(builtIn(next).map(({ url }) => new URL(url).pathname)).toEqual(['/retreat', '/guest-feedback'])
    expect(builtIn(next)[0]?.url).not.toBe(builtIn(server)[0]?.url)
    expect(next.app.deliveries.get(await ping(next)).status).toBe('delivered')
  })

  it('is not started for a seed without such endpoints', async () => {
    const { call } = await start({ seed: 'empty' })
    const { json: body } = await call('GET', '/catalog?include=receiver')
    expect(body.data).toEqual({ receiver: null })
  })
})
