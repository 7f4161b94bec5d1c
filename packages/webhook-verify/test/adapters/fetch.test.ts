import { createReceiver, verifyRequest } from '@formwire/webhook-verify/fetch'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../support.ts'
import { describeDoor } from './door-suite.ts'

const URL_OF_RECEIVER = 'https://receiver.example/webhooks'

describeDoor('fetch', async (options) => {
  const receive = createReceiver(options)
  return {
    async send({ headers, body }) {
      const init = {
        method: 'POST',
        headers: new Headers(headers as [string, string][]),
        body: body as BodyInit,
      }
      const response = await receive(new Request(URL_OF_RECEIVER, init))
      return { status: response.status, body: await response.text() }
    },
  }
})

describe('fetch', () => {
  const delivery = createDelivery()
  const options = { secret: 'whsec_test', on: {}, onError: () => {} }

  it('answers 405 to anything but POST', async () => {
    const response = await createReceiver(options)(new Request(URL_OF_RECEIVER))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('gives the event of a request', async () => {
    expect(await verifyRequest(delivery.toRequest(), options)).toMatchObject({ type: 'response.submitted' })
  })

  it('refuses a request that was read as JSON before, with a status that has the service try again', async () => {
    const request = delivery.toRequest()
    await request.json()
    expect(await refusalOf(() => verifyRequest(request, options))).toMatchObject({
      code: 'body_already_parsed',
      hint: expect.stringContaining('request.clone()'),
    })
    expect((await createReceiver(options)(request)).status).toBe(500)
  })

  it('refuses a request that somebody holds a reader of', async () => {
    const request = delivery.toRequest()
    request.body?.getReader()
    expect((await refusalOf(() => verifyRequest(request, options))).code).toBe('body_already_parsed')
  })

  it('reads an empty body as empty', async () => {
    const request = new Request(URL_OF_RECEIVER, { method: 'POST', headers: delivery.headers })
    expect((await refusalOf(() => verifyRequest(request, options))).code).toBe('no_match')
  })

  it('takes the body as a whole where the runtime streams none, as Firefox does not', async () => {
    const without = () =>
      new Proxy(delivery.toRequest(), {
        get(request, name) {
          if (name === 'body') return undefined
          const value = Reflect.get(request, name, request)
          return typeof value === 'function' ? value.bind(request) : value
        },
      })
    expect(await verifyRequest(without(), options)).toMatchObject({ type: 'response.submitted' })
    const refused = await refusalOf(() => verifyRequest(without(), { ...options, maxBodyBytes: 10 }))
    expect(refused.code).toBe('body_too_large')
  })

  it('stops reading a body without end, whatever its length header says', async () => {
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
    const init = { method: 'POST', headers: delivery.headers, body: endless, duplex: 'half' } as RequestInit
    expect((await refusalOf(() => verifyRequest(new Request(URL_OF_RECEIVER, init), options))).code).toBe(
      'body_too_large',
    )
    expect(pulled).toBeLessThan(20)
    expect(cancelled).toBe(true)
  })

  it('tells a body that breaks off', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new TypeError('terminated')),
    })
    const init = { method: 'POST', headers: delivery.headers, body: broken, duplex: 'half' } as RequestInit
    expect((await refusalOf(() => verifyRequest(new Request(URL_OF_RECEIVER, init), options))).code).toBe(
      'body_read_failed',
    )
  })
})
