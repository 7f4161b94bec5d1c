import {
  type ReceiverOptions,
  type UnverifiedRequest,
  WebhookVerificationError,
} from '@formwire/webhook-verify'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createDelivery, examplePayload, TAMPERINGS, type Tampering } from '@formwire/webhook-verify/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'

/** A delivery to send to an adapter. */
export interface Sent {
  headers: ReadonlyArray<readonly [name: string, value: string]>
  body: string | Uint8Array
  method?: string
}

/** A running adapter. */
export interface OpenAdapter {
  send(sent: Sent): Promise<{ status: number; body: string }>
  close?(): Promise<void>
}

const SIGNED_AT = new Date('2026-11-21T09:30:00.000Z')

/** The cases that every adapter must pass. */
export function describeAdapter(
  name: string,
  open: (options: ReceiverOptions) => Promise<OpenAdapter>,
): void {
  describe(`createReceiver (${name})`, () => {
    const delivery = createDelivery({ timestamp: SIGNED_AT, deliveryId: 'dlv_1' })
    const sent: Sent = { headers: Object.entries(delivery.headers), body: delivery.body }
    const handled: number[] = []
    const errors: unknown[] = []
    let adapter: OpenAdapter | undefined

    async function openAdapter(options: Partial<ReceiverOptions> = {}): Promise<OpenAdapter> {
      handled.length = 0
      errors.length = 0
      adapter = await open({
        secret: 'whsec_test',
        now: SIGNED_AT,
        on: { 'response.submitted': (event) => void handled.push(event.response.id) },
        onError: (error) => errors.push(error),
        ...options,
      })
      return adapter
    }
    afterEach(async () => {
      await adapter?.close?.()
      adapter = undefined
    })

    it('[DLV-05] [DLV-10] verifies and handles a delivery and responds with 200', async () => {
      const { send } = await openAdapter()
      expect(await send(sent)).toEqual({ status: 200, body: 'ok' })
      expect(handled).toEqual([4711])
      expect(errors).toEqual([])
    })

    it.each(
      Object.entries(TAMPERINGS).map(([tampering, { code, description }]) => ({
        tampering,
        code,
        description,
      })),
    )('[DLV-10] refuses a delivery when $description', async ({ tampering, code }) => {
      const { send } = await openAdapter()
      const response = await send(delivery.tamper(tampering as Tampering))
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

    it('refuses a body over the limit with 413 and handles the next delivery', async () => {
      const { send } = await openAdapter({ maxBodyBytes: 500 })
      const response = await send({ ...sent, body: 'x'.repeat(501) })
      expect(response).toEqual({ status: 413, body: 'body_too_large: The body is larger than 500 bytes.' })
      expect(await send(sent)).toMatchObject({ status: 200 })
    })

    it('reports a body over the limit to onError, and responds even if onError throws', async () => {
      const { send } = await openAdapter({
        maxBodyBytes: 500,
        onError: (error) => {
          errors.push(error)
          throw new Error('the log is down')
        },
      })
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
      expect((await send({ ...sent, body: 'x'.repeat(501) })).status).toBe(413)
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

    it('responds with 500 without details when its secret is missing, so that the service retries', async () => {
      const { send } = await openAdapter({ secret: () => undefined })
      expect(await send(sent)).toEqual({ status: 500, body: 'invalid_secret' })
      expect(errors).toMatchObject([{ code: 'invalid_secret' }])
    })
  })
}
