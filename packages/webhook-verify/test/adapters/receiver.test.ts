import { createReceiver, type ReceiverOptions, type VerifiedEvent } from '@formwire/webhook-verify'
import { createDedupe, createMemoryDedupe, createMemoryStore } from '@formwire/webhook-verify/dedupe'
import { createDelivery, examplePayload } from '@formwire/webhook-verify/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'

const SIGNED_AT = new Date('2026-11-21T09:30:00.000Z')
const base = { secret: 'whsec_test', now: SIGNED_AT, on: {} } satisfies ReceiverOptions
const submitted = createDelivery({ timestamp: SIGNED_AT, deliveryId: 'dlv_1' })
const ping = createDelivery({ event: 'test.ping', payload: examplePayload({ id: 0 }), timestamp: SIGNED_AT })
const later = createDelivery({ event: 'form.closed', timestamp: SIGNED_AT })

/** A promise that the test settles. */
function gate() {
  let open = () => {}
  let fail = (_error: Error) => {}
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { passed, open, fail }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('createReceiver', () => {
  it('passes each event to the handler of its type, and other events to otherwise', async () => {
    const seen: string[] = []
    const receive = createReceiver({
      ...base,
      on: {
        'response.submitted': (event) => seen.push(`response ${event.response.id}`),
        'test.ping': (event) => seen.push(`ping ${event.response.id}`),
      },
      otherwise: (event) => seen.push(`otherwise ${event.type}`),
    })
    for (const delivery of [submitted, ping, later]) expect((await receive(delivery)).status).toBe(200)
    expect(seen).toEqual(['response 4711', 'ping 0', 'otherwise form.closed'])
  })

  it('[ENV-04] [DLV-05] responds with 200 to events without a handler, so that they are not retried', async () => {
    const receive = createReceiver(base)
    for (const delivery of [submitted, ping, later]) {
      expect(await receive(delivery)).toMatchObject({
        status: 200,
        body: 'ignored: no handler for this event',
      })
    }
  })

  it('does not claim a delivery without a handler', async () => {
    const store = createMemoryStore(() => 0)
    await createReceiver({ ...base, dedupe: createDedupe(store) })(submitted)
    expect(store.size).toBe(0)
  })

  it('[DLV-10] dedupes only verified deliveries', async () => {
    const store = createMemoryStore(() => 0)
    const receive = createReceiver({
      ...base,
      dedupe: createDedupe(store),
      otherwise: () => {},
      onError: () => {},
    })
    expect((await receive({ ...submitted, body: submitted.body.replace('4711', '4712') })).status).toBe(401)
    expect(store.size).toBe(0)
  })

  it('[DLV-06] responds with 409 while the same delivery is being handled, so that it is retried', async () => {
    const { passed, open } = gate()
    const receive = createReceiver({ ...base, dedupe: createMemoryDedupe(), otherwise: () => passed })
    const first = receive(submitted)
    await vi.waitFor(async () => expect((await receive(submitted)).status).toBe(409), WAIT_MS)
    open()
    expect((await first).status).toBe(200)
    expect(await receive(submitted)).toMatchObject({ status: 200, body: 'duplicate: already handled' })
  })

  it('[DLV-06] responds with 503 when the store is down before the work, so that the delivery is retried', async () => {
    const errors: unknown[] = []
    const otherwise = vi.fn()
    const dedupe = { claim: () => Promise.reject(new Error('redis down')) }
    const receive = createReceiver({ ...base, dedupe, otherwise, onError: (error) => errors.push(error) })
    expect(await receive(submitted)).toMatchObject({ status: 503, body: 'not ready: try again later' })
    expect(errors).toEqual([new Error('redis down')])
    expect(otherwise).not.toHaveBeenCalled()
  })

  it('responds with 200 when the store goes down after the work, so that the work is not repeated', async () => {
    const errors: unknown[] = []
    const down = () => Promise.reject(new Error('redis down'))
    const dedupe: ReceiverOptions['dedupe'] = {
      claim: async () => ({ state: 'claimed', complete: down, release: down }),
    }
    const options = { ...base, dedupe, onError: (error: unknown) => errors.push(error) }
    expect((await createReceiver({ ...options, otherwise: () => {} })(submitted)).status).toBe(200)
    const failing = () => Promise.reject(new Error('handler'))
    expect((await createReceiver({ ...options, otherwise: failing })(submitted)).status).toBe(500)
    expect(errors).toEqual([new Error('redis down'), new Error('handler'), new Error('redis down')])
  })

  describe("acknowledge: 'before'", () => {
    it('[DLV-05] responds before the work is done and passes the work to waitUntil', async () => {
      const { passed, open } = gate()
      const work: Promise<void>[] = []
      const done: string[] = []
      const receive = createReceiver({
        ...base,
        acknowledge: 'before',
        dedupe: createMemoryDedupe(),
        waitUntil: (promise) => work.push(promise),
        otherwise: async () => {
          await passed
          done.push('done')
        },
      })
      expect(await receive(submitted)).toMatchObject({ status: 202, body: 'accepted' })
      expect(done).toEqual([])
      expect((await receive(submitted)).status).toBe(409)
      open()
      expect(await Promise.all(work)).toEqual([undefined])
      expect(done).toEqual(['done'])
      expect((await receive(submitted)).status).toBe(200)
    })

    it('reports work that fails afterwards and releases the claim', async () => {
      const errors: unknown[] = []
      const { passed, fail } = gate()
      const receive = createReceiver({
        ...base,
        acknowledge: 'before',
        dedupe: createMemoryDedupe(),
        otherwise: () => passed,
        onError: (error) => errors.push(error),
      })
      expect((await receive(submitted)).status).toBe(202)
      fail(new Error('too late'))
      await vi.waitFor(() => expect(errors).toEqual([new Error('too late')]), WAIT_MS)
      expect((await receive(submitted)).status).toBe(202)
    })
  })

  it('accepts a function that returns the secret, synchronously or as a promise', async () => {
    const statusWith = async (secret: ReceiverOptions['secret']) =>
      (await createReceiver({ ...base, secret, onError: () => {} })(submitted)).status
    expect(await statusWith(() => 'whsec_test')).toBe(200)
    expect(await statusWith(async () => ['a', 'whsec_test'])).toBe(200)
    expect(await statusWith(() => Promise.reject(new Error('vault')))).toBe(503)
  })

  it('[DLV-04] accepts timestamps within toleranceSeconds', async () => {
    const sixLater = { ...base, now: SIGNED_AT.getTime() + 6_000, onError: () => {} }
    const respond = (toleranceSeconds: number) => createReceiver({ ...sixLater, toleranceSeconds })(submitted)
    expect([(await respond(6)).status, (await respond(5)).status]).toEqual([200, 400])
  })

  it('refuses an empty secret when it is created', () => {
    for (const secret of ['', ['whsec_test', ''], undefined])
      expect(() => createReceiver({ ...base, secret: secret as never })).toThrow(
        expect.objectContaining({ code: 'invalid_secret' }),
      )
  })

  it('prints refusals with their hint and failures with their error by default', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    await createReceiver(base)({ ...submitted, body: '{}' })
    expect(printed.mock.lastCall?.[0]).toMatch(/^webhook refused: no_match: .* Pass the raw bytes/)
    const error = new Error('database down')
    await createReceiver({ ...base, otherwise: () => Promise.reject(error) })(submitted)
    expect(printed.mock.lastCall).toEqual(['webhook failed:', error])
  })

  it('passes the failed event to onError', async () => {
    const events: Array<VerifiedEvent | undefined> = []
    const options = {
      ...base,
      onError: (_error: unknown, event: VerifiedEvent | undefined) => events.push(event),
    }
    await createReceiver({ ...options, otherwise: () => Promise.reject(new Error('x')) })(submitted)
    await createReceiver(options)({ ...submitted, body: '{}' })
    expect(events).toEqual([expect.objectContaining({ deliveryId: 'dlv_1' }), undefined])
  })

  it('[DLV-07] limits the response body to the 300 characters that the log shows', async () => {
    const receive = createReceiver({ ...base, onError: () => {} })
    const headers = { ...submitted.headers, 'X-Service-Event': 'e'.repeat(256) }
    expect((await receive({ headers, body: submitted.body })).body.length).toBe(300)
  })
})
