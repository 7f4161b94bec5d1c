import { type ReceiverOptions, WebhookVerificationError } from '@formwire/webhook-verify'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createDelivery, TAMPERINGS, type Tampering } from '@formwire/webhook-verify/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'

/** One delivery as it goes to a door. */
export interface Sent {
  headers: ReadonlyArray<readonly [name: string, value: string]>
  body: string | Uint8Array
  method?: string
}

/** A door with a receiver behind it. */
export interface OpenDoor {
  send(sent: Sent): Promise<{ status: number; body: string }>
  close?(): Promise<void>
}

const SIGNED_AT = new Date('2026-11-21T09:30:00.000Z')

/** What a receiver must do behind every door. */
export function describeDoor(name: string, open: (options: ReceiverOptions) => Promise<OpenDoor>): void {
  describe(`createReceiver (${name})`, () => {
    const delivery = createDelivery({ timestamp: SIGNED_AT, deliveryId: 'dlv_1' })
    const sent: Sent = { headers: Object.entries(delivery.headers), body: delivery.body }
    const handled: number[] = []
    const errors: unknown[] = []
    let door: OpenDoor | undefined

    async function openDoor(options: Partial<ReceiverOptions> = {}): Promise<OpenDoor> {
      handled.length = 0
      errors.length = 0
      door = await open({
        secret: 'whsec_test',
        now: SIGNED_AT,
        on: { 'response.submitted': (event) => void handled.push(event.response.id) },
        onError: (error) => errors.push(error),
        ...options,
      })
      return door
    }
    afterEach(async () => {
      await door?.close?.()
      door = undefined
    })

    it('[DLV-05] [DLV-10] verifies, handles and answers 200', async () => {
      const { send } = await openDoor()
      expect(await send(sent)).toEqual({ status: 200, body: 'ok' })
      expect(handled).toEqual([4711])
      expect(errors).toEqual([])
    })

    it.each(Object.entries(TAMPERINGS).map(([tampering, { code, what }]) => ({ tampering, code, what })))(
      '[DLV-10] refuses a delivery when $what',
      async ({ tampering, code }) => {
        const { send } = await openDoor()
        const answer = await send(delivery.tamper(tampering as Tampering))
        expect(answer.body).toMatch(new RegExp(`^${code}: `))
        expect(answer.status).toBe(code === 'no_match' ? 401 : 400)
        expect(handled).toEqual([])
        expect(errors).toEqual([expect.any(WebhookVerificationError)])
      },
    )

    it('[DLV-10] handles a delivery that comes twice once', async () => {
      const { send } = await openDoor({ dedupe: createMemoryDedupe() })
      await send(sent)
      expect(await send(sent)).toEqual({ status: 200, body: 'duplicate: handled before' })
      expect(handled).toEqual([4711])
    })

    it('[DLV-06] answers 500 when the handler throws, and takes the retry', async () => {
      let failures = 1
      const { send } = await openDoor({
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

    it('refuses a body over the limit with 413 and goes on serving', async () => {
      const { send } = await openDoor({ maxBodyBytes: 500 })
      const answer = await send({ ...sent, body: 'x'.repeat(501) })
      expect(answer).toEqual({ status: 413, body: 'body_too_large: The body is larger than 500 bytes.' })
      expect(await send(sent)).toMatchObject({ status: 200 })
    })

    it('tells onError of a body over the limit, and answers also when onError throws', async () => {
      const { send } = await openDoor({
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

    it('prints a body over the limit when nobody listens for errors', async () => {
      const { send } = await openDoor({ maxBodyBytes: 500, onError: undefined })
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
      expect((await send({ ...sent, body: 'x'.repeat(501) })).status).toBe(413)
      expect(printed).toHaveBeenCalledWith(expect.stringMatching(/^webhook refused: body_too_large: /))
      printed.mockRestore()
    })

    it('takes a body of exactly the limit', async () => {
      const { send } = await openDoor({ maxBodyBytes: Buffer.byteLength(delivery.body) })
      expect(await send(sent)).toMatchObject({ status: 200 })
    })

    it('answers 500 when its own secret is missing, without details, so that the service tries again', async () => {
      const { send } = await openDoor({ secret: () => undefined })
      expect(await send(sent)).toEqual({ status: 500, body: 'invalid_secret' })
      expect(errors).toMatchObject([{ code: 'invalid_secret' }])
    })
  })
}
