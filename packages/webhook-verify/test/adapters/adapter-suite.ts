import {
  type ReceiverOptions,
  type UnverifiedRequest,
  type VerifyRequestOptions,
  WebhookVerificationError,
} from '@formwire/webhook-verify'
import { createMemoryDedupe, createMemoryStore } from '@formwire/webhook-verify/dedupe'
import {
  createDelivery,
  examplePayload,
  TAMPERINGS,
  type Tampering,
  type TestDelivery,
} from '@formwire/webhook-verify/testing'
import { describe, expect, it, vi } from 'vitest'
import { refusalOf } from '../support.ts'

/** A delivery to send to an adapter. */
export interface Sent {
  headers: ReadonlyArray<readonly [name: string, value: string]>
  body: string | Uint8Array
  method?: string
}

/** A running adapter, until the test has finished. */
export interface OpenAdapter {
  send(sent: Sent): Promise<{ status: number; body: string }>
}

/** An adapter to test. */
export interface Adapter {
  createReceiver(options: ReceiverOptions): unknown
  /** Calls `verifyRequest` with the request that a framework makes of a delivery. */
  verifyRequest?(delivery: TestDelivery, options: VerifyRequestOptions): unknown
  /** Serves a receiver with the framework. */
  open(options: ReceiverOptions): Promise<OpenAdapter>
  /** The status of the framework for methods that the receiver does not get. */
  otherMethods?: number
}

const SIGNED_AT = new Date('2026-11-21T09:30:00.000Z')

/** The cases that every adapter must pass. */
export function describeAdapter(name: string, adapter: Adapter): void {
  describe(`createReceiver (${name})`, () => {
    const delivery = createDelivery({ timestamp: SIGNED_AT, deliveryId: 'dlv_1' })
    const sent: Sent = { headers: Object.entries(delivery.headers), body: delivery.body }
    const handled: number[] = []
    const errors: unknown[] = []

    function openAdapter(options: Partial<ReceiverOptions> = {}): Promise<OpenAdapter> {
      handled.length = 0
      errors.length = 0
      return adapter.open({
        secret: 'whsec_test',
        now: SIGNED_AT,
        on: { 'response.submitted': (event) => void handled.push(event.response.id) },
        onError: (error) => errors.push(error),
        ...options,
      })
    }

    it('[DLV-05] [DLV-10] verifies and handles a delivery and responds with 200', async () => {
      const { send } = await openAdapter()
      expect(await send(sent)).toEqual({ status: 200, body: 'ok' })
      expect(handled).toEqual([4711])
      expect(errors).toEqual([])
    })

    it.each(Object.keys(TAMPERINGS) as Tampering[])('[DLV-10] refuses a delivery: %s', async (tampering) => {
      const { code } = TAMPERINGS[tampering]
      const { send } = await openAdapter()
      const response = await send(delivery.tamper(tampering))
      expect(response.body).toMatch(new RegExp(`^${code}: `))
      expect(response.status).toBe(code === 'no_match' ? 401 : 400)
      expect(handled).toEqual([])
      expect(errors).toEqual([expect.any(WebhookVerificationError)])
    })

    it('passes headers, URL and body to a function that looks the secret up, and uses its secret alone', async () => {
      const requests: UnverifiedRequest[] = []
      let secret: string | null = 'whsec_test'
      const { send } = await openAdapter({
        secret: async (request) => {
          requests.push(request)
          return secret
        },
      })
      expect((await send(sent)).status).toBe(200)
      const [{ headers, url, body } = { headers: {}, url: '', body: '' }] = requests
      const found = headers instanceof Headers ? Object.fromEntries(headers) : (headers as object)
      const values = Object.entries(found).find(([name]) => name.toLowerCase() === 'x-service-delivery')
      expect(values?.flat()).toContain('dlv_1')
      expect(Buffer.from(body as Uint8Array).toString()).toBe(sent.body)
      expect(url).toMatch(/^(?:https?:\/\/[^/]+)?\/(?:webhooks)?$/)
      secret = 'whsec_of_another_endpoint'
      expect((await send(sent)).status).toBe(401)
      secret = null
      expect(await send(sent)).toEqual({
        status: 401,
        body: 'no_match: There is no secret for this request.',
      })
      expect(handled).toEqual([4711])
    })

    it('[DLV-10] handles a repeated delivery once', async () => {
      const { send } = await openAdapter({ dedupe: createMemoryDedupe() })
      await send(sent)
      expect(await send(sent)).toEqual({ status: 200, body: 'duplicate: already handled' })
      expect(handled).toEqual([4711])
    })

    it('[DLV-06] responds with 500 when the handler throws, and handles the retry', async () => {
      let failures = 1
      const { send } = await openAdapter({
        dedupe: createMemoryDedupe(),
        on: {
          'response.submitted': async (event) => {
            if (failures-- > 0) throw new Error('database down')
            handled.push(event.response.id)
          },
        },
      })
      expect((await send(sent)).status).toBe(500)
      expect(errors).toEqual([new Error('database down')])
      expect((await send(sent)).status).toBe(200)
      expect(handled).toEqual([4711])
    })

    it('refuses a body over the limit with 413, even if onError throws, and handles the next delivery', async () => {
      const { send } = await openAdapter({
        maxBodyBytes: 500,
        onError: (error) => {
          errors.push(error)
          throw new Error('the log is down')
        },
      })
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
      const response = await send({ ...sent, body: 'x'.repeat(501) })
      expect(response).toEqual({ status: 413, body: 'body_too_large: The body is larger than 500 bytes.' })
      expect(await send(sent)).toMatchObject({ status: 200 })
      expect(errors).toMatchObject([{ code: 'body_too_large' }])
      expect(printed).toHaveBeenCalledWith('webhook failed:', new Error('the log is down'))
      printed.mockRestore()
    })

    it.each([
      [2_621_440, 200],
      [2_621_441, 413],
    ])('by default responds to a body of %i bytes with %i', async (bytes, status) => {
      const { send } = await openAdapter({ onError: () => undefined })
      const { form, response } = examplePayload()
      const of = (title: string) =>
        createDelivery({ payload: { form: { ...form, title }, response }, timestamp: SIGNED_AT })
      const { headers, body } = of('x'.repeat(bytes - of('').body.length))
      expect(body.length).toBe(bytes)
      expect(await send({ headers: Object.entries(headers), body })).toMatchObject({ status })
    })

    it('responds with 405 to any method but POST', async () => {
      const { send } = await openAdapter()
      const { status } = await send({ ...sent, method: 'PUT' })
      expect([status, handled]).toEqual([adapter.otherMethods ?? 405, []])
    })

    it('responds with 500 without details when its secret is missing, so that the service retries', async () => {
      const { send } = await openAdapter({ secret: () => undefined })
      expect(await send(sent)).toEqual({ status: 500, body: 'invalid_secret' })
      expect(errors).toMatchObject([{ code: 'invalid_secret' }])
    })

    it.each([
      [{ tolerance: 10 }, 'Unknown option "tolerance"; did you mean "toleranceSeconds"?'],
      [
        { on: { 'response.submited': () => {} } },
        'Unknown event "response.submited" in on; did you mean "response.submitted"?',
      ],
      [
        { on: { 'form.closed': () => {} } },
        'Unknown event "form.closed" in on; known events: response.submitted, test.ping. Use otherwise for others.',
      ],
      [{ on: { 'test.ping': 'handler' } }, 'on["test.ping"] must be a function, got "handler".'],
      [{ on: undefined }, 'on must be an object of handlers, got undefined.'],
      [{ otherwise: {} }, 'otherwise must be a function, got an object.'],
      [{ waitUntil: 5 }, 'waitUntil must be a function, got 5.'],
      [{ onError: 'log' }, 'onError must be a function, got "log".'],
      [{ acknowledge: 'Before' }, 'acknowledge must be "after" or "before", got "Before".'],
      [{ maxBodyBytes: Number.NaN }, 'maxBodyBytes must be a number of bytes above 0, got NaN.'],
      [{ maxBodyBytes: '5' }, 'maxBodyBytes must be a number of bytes above 0, got "5".'],
      [{ maxBodyBytes: 0 }, 'maxBodyBytes must be a number of bytes above 0, got 0.'],
      [
        { dedupe: createMemoryStore },
        'dedupe must have a claim method, as createMemoryDedupe() has, got a function.',
      ],
    ])('refuses the options %j when it is created', async (change, message) => {
      const options = { secret: 'whsec_test', on: {}, ...change } as never
      const error = await refusalOf(() => adapter.createReceiver(options))
      expect(error).toMatchObject({ code: 'invalid_option', message })
    })

    it('accepts every option, undefined ones included', () => {
      const base = { secret: 'whsec_test', on: { 'response.submitted': undefined, 'test.ping': () => {} } }
      const functions = { waitUntil() {}, onError() {}, otherwise() {} }
      const full = {
        acknowledge: 'before',
        maxBodyBytes: 1,
        dedupe: createMemoryDedupe(),
        ...functions,
      } as const
      expect(() => adapter.createReceiver({ ...base, ...full, now: 0, toleranceSeconds: 5 })).not.toThrow()
      const absent = Object.fromEntries(Object.keys(full).map((option) => [option, undefined]))
      expect(() => adapter.createReceiver({ ...base, ...absent })).not.toThrow()
      expect(() =>
        adapter.createReceiver({ ...base, maxBodyBytes: Infinity, acknowledge: 'after' }),
      ).not.toThrow()
    })

    // Those of express and Next are node's and fetch's.
    if (!adapter.verifyRequest) return
    it('has a verifyRequest that takes the options of a receiver', async () => {
      const options = { secret: 'whsec_test', now: SIGNED_AT, maxBodyBytes: 100_000, toleranceSeconds: 5 }
      const verify = async (changes: object) =>
        adapter.verifyRequest?.(delivery, { ...options, on: {}, onError() {}, ...changes } as never)
      const messageOf = async (changes: object) => (await refusalOf(() => verify(changes))).message
      expect(await verify({})).toMatchObject({ type: 'response.submitted', deliveryId: 'dlv_1' })
      expect(await messageOf({ toleranceSecond: 5 })).toBe(
        'Unknown option "toleranceSecond"; did you mean "toleranceSeconds"?',
      )
      expect(await messageOf({ now: SIGNED_AT.getTime() + 6_000 })).toMatch(
        /^The delivery was signed 6 s ago /,
      )
      expect(await messageOf({ maxBodyBytes: Number.NaN })).toBe(
        'maxBodyBytes must be a number of bytes above 0, got NaN.',
      )
    })
  })
}
