import { once } from 'node:events'
import type { Server } from 'node:http'
import { createDelivery, examplePayload } from '@formwire/webhook-verify/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '../src/app.ts'

const SIGNED_AT = new Date('2026-11-21T09:30:00.000Z')

// That it saves each response once is rehearsed in test/docs.
describe('the Express receiver', () => {
  let server: Server | undefined
  afterEach(async () => {
    vi.restoreAllMocks()
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
    server = undefined
  })

  async function start(saveResponse: (response: { id: number }) => unknown) {
    server = createApp({ secret: 'whsec_test', saveResponse, now: SIGNED_AT, onError: () => {} }).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    return async (path: string, init: { headers: Record<string, string>; body: string }) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...init })
      return { status: response.status, body: await response.text() }
    }
  }

  it('[DLV-10] does not save a response with an invalid signature', async () => {
    const saved: number[] = []
    const post = await start(({ id }) => saved.push(id))
    const delivery = createDelivery({ timestamp: SIGNED_AT })
    const response = await post('/webhooks/formwire', {
      ...delivery,
      body: delivery.body.replace('4711', '4712'),
    })
    expect(response.status).toBe(401)
    expect(saved).toEqual([])
  })

  it('[DLV-02] accepts a test event and does not affect JSON routes', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const post = await start(() => {})
    const ping = createDelivery({
      event: 'test.ping',
      payload: examplePayload({ id: 0 }),
      timestamp: SIGNED_AT,
    })
    expect((await post('/webhooks/formwire', ping)).status).toBe(200)
    expect(await post('/echo', { headers: { 'content-type': 'application/json' }, body: '{"a":1}' })).toEqual(
      {
        status: 200,
        body: '{"a":1}',
      },
    )
  })
})
