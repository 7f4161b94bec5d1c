import { createReceiver, verifyRequest } from '@formwire/webhook-verify/fetch'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, refusalOf } from '../support.ts'

const URL_OF_RECEIVER = 'https://receiver.example/webhooks'

describe('fetch', () => {
  const delivery = createDelivery()
  const options = { secret: 'whsec_test', on: {}, onError: () => {} }
  const streamed = (body: ReadableStream, headers: Record<string, string> = delivery.headers) =>
    new Request(URL_OF_RECEIVER, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)

  it('refuses a request that was already read as JSON, with a status that makes the service retry', async () => {
    const request = delivery.toRequest()
    await request.json()
    expect(await refusalOf(() => verifyRequest(request, options))).toMatchObject({
      code: 'body_already_parsed',
      hint: expect.stringContaining('request.clone()'),
    })
    expect((await createReceiver(options)(request)).status).toBe(500)
  })

  it('refuses a request whose body is locked by a reader', async () => {
    const request = delivery.toRequest()
    request.body?.getReader()
    expect(await codeOf(() => verifyRequest(request, options))).toBe('body_already_parsed')
  })

  it('refuses an empty body with no_match', async () => {
    const request = new Request(URL_OF_RECEIVER, { method: 'POST', headers: delivery.headers })
    expect(await codeOf(() => verifyRequest(request, options))).toBe('no_match')
  })

  it('reads the whole body where the runtime does not stream request bodies, as in Firefox', async () => {
    const without = () =>
      new Proxy(delivery.toRequest(), {
        get(request, name) {
          if (name === 'body') return undefined
          const value = Reflect.get(request, name, request)
          return typeof value === 'function' ? value.bind(request) : value
        },
      })
    expect(await verifyRequest(without(), options)).toMatchObject({ type: 'response.submitted' })
    const small = { ...options, maxBodyBytes: 10 }
    expect(await codeOf(() => verifyRequest(without(), small))).toBe('body_too_large')
  })

  it('stops reading an endless body at the limit', async () => {
    let pulled = 0
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(65_536))
      },
      cancel() {
        cancelled = true
      },
    })
    expect(await codeOf(() => verifyRequest(streamed(endless), options))).toBe('body_too_large')
    expect(pulled).toBeLessThan(45)
    expect(cancelled).toBe(true)
  })

  it('refuses a body by its Content-Length without reading it', async () => {
    const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
    const headers = { ...delivery.headers, 'content-length': '2621441' }
    expect(await codeOf(() => verifyRequest(streamed(silent, headers), options))).toBe('body_too_large')
    const announced = delivery.toRequest()
    announced.headers.set('content-length', String(delivery.body.length))
    const limited = { ...options, maxBodyBytes: delivery.body.length }
    expect(await verifyRequest(announced, limited)).toMatchObject({ type: 'response.submitted' })
  })

  it('reports a body that is cut off', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new TypeError('terminated')),
    })
    expect(await codeOf(() => verifyRequest(streamed(broken), options))).toBe('body_read_failed')
  })
})
