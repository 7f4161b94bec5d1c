import { describe, expect, it, onTestFinished } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import {
  createSeedFactory,
  type FormwireKit,
  makeQuestion,
  type Seed,
  type StartOptions,
  startFormwire,
} from '../../src/testing/index.ts'

/** Closes a kit when the test has finished. */
const keep = async (made: Promise<FormwireKit>): Promise<FormwireKit> => {
  const kit = await made
  onTestFinished(() => kit.close())
  return kit
}
const start = (options: StartOptions = {}) => keep(startFormwire(options))

const make = await createSeedFactory(5)
const FORM = 'testkitform1'
const SEED: Seed = make.seed(make.form({ id: FORM, questions: [makeQuestion('nps')], responses: 3 }))

async function get(kit: FormwireKit, path: string): Promise<{ status: number; body: never }> {
  const { apiKey, baseUrl, fetch } = kit.clientOptions
  const response = await fetch(`${baseUrl}/api/v1${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
  return { status: response.status, body: (await response.json()) as never }
}

const countOf = async (kit: FormwireKit): Promise<number> =>
  ((await get(kit, `/forms/${FORM}`)).body as { data: { response_count: number } }).data.response_count

const submit = (kit: FormwireKit, value = 9) =>
  kit.server.app.responses.create(FORM, { answers: [{ question_id: 'nps', value }], deliver: true })

describe('startFormwire', () => {
  it('starts a server, a receiver and client options in one call', async () => {
    const kit = await start()
    const { server, receiver, clientOptions } = kit
    expect(clientOptions.baseUrl).toBe('http://formwire.test')
    expect(clientOptions.apiKey).toMatch(/^svc_/)
    expect(receiver.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    expect(server.clock.mode).toBe('manual')
    expect((await get(kit, '/me')).body).toMatchObject({ data: { key: { scope: 'write' } } })
    const { readOnlyClientOptions } = kit
    const readOnly = { ...kit, clientOptions: readOnlyClientOptions }
    expect((await get(readOnly, '/me')).body).toMatchObject({ data: { key: { scope: 'read' } } })
  })

  it('generates the same ids, keys and secrets every time, or new ones with randomSeed: system', async () => {
    const [one, two, other, system] = await Promise.all([
      start({ seed: SEED }),
      start({ seed: SEED }),
      start({ seed: SEED, randomSeed: 2 }),
      start({ seed: SEED, randomSeed: 'system' }),
    ])
    const secretOf = async (kit: FormwireKit) => (await kit.connectReceiver(FORM)).secret
    expect(two.clientOptions.apiKey).toBe(one.clientOptions.apiKey)
    expect(other.clientOptions.apiKey).not.toBe(one.clientOptions.apiKey)
    expect(system.clientOptions.apiKey).not.toBe(one.clientOptions.apiKey)
    expect(await secretOf(two)).toBe(await secretOf(one))
  })

  it('runs many independent instances side by side', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => start({ seed: SEED })))
    await Promise.all(many.map((kit) => kit.connectReceiver(FORM)))
    const [first, ...others] = many as [FormwireKit, ...FormwireKit[]]
    submit(first)
    await first.waitForDelivery({ status: 'delivered' }, PATIENT)
    expect(first.receiver.deliveries).toHaveLength(1)
    for (const kit of others) {
      expect(kit.receiver.deliveries).toHaveLength(0)
      expect(await countOf(kit)).toBe(3)
    }
    expect(await countOf(first)).toBe(4)
  })

  it('listens on a free loopback port if listen is set, until the end of its block with await using', async () => {
    let url = ''
    {
      await using kit = await startFormwire({ listen: true })
      url = kit.clientOptions.baseUrl
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      expect((await get(kit, '/me')).status).toBe(200)
    }
    await expect(fetch(`${url}/_app/health`)).rejects.toThrow('fetch failed')
  })

  it('[RATE-01] [RATE-02] limits no requests per minute, unless limits is set', async () => {
    const statusOf = async (limits: StartOptions, requests: number, key?: string): Promise<number> => {
      const { server, clientOptions } = await start(limits)
      const headers = { authorization: `Bearer ${key ?? clientOptions.apiKey}` }
      const last = async (): Promise<number> =>
        (await server.fetch('http://formwire.test/api/v1/me', { headers })).status
      for (let sent = 1; sent < requests; sent += 1) await last()
      return last()
    }
    expect(await statusOf({}, 121)).toBe(200)
    expect(await statusOf({ limits: { webhooksPerForm: 2 } }, 121)).toBe(200)
    expect(await statusOf({}, 31, 'svc_wrong')).toBe(401)
    expect(await statusOf({ limits: { requestsPerMinute: 120 } }, 121)).toBe(429)
    expect(await statusOf({ limits: { failedAuthPerMinute: 30 } }, 31, 'svc_wrong')).toBe(429)
  })

  it('rejects for an invalid seed', async () => {
    await expect(startFormwire({ seed: { ...SEED, version: 3 } as never })).rejects.toThrow(
      'version: must be 1 or 2, got 3',
    )
  })

  it('rejects a call whose signal aborts, like fetch', async () => {
    const kit = await start()
    kit.server.app.faults.add({ path: '/api/v1/me', delay_ms: 60_000 })
    const { fetch } = kit.clientOptions
    const slow = fetch('http://formwire.test/api/v1/me', { signal: AbortSignal.timeout(5) })
    await expect(slow).rejects.toMatchObject({ name: 'TimeoutError' })
    const aborted = fetch('http://formwire.test/api/v1/me', { signal: AbortSignal.abort() })
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('reset', () => {
  it('resets responses, endpoints, deliveries, limits, journal, faults, clock and receiver', async () => {
    const kit = await start({ seed: SEED, limits: { requestsPerMinute: 5 } })
    const began = kit.server.clock.now()
    const endpoint = await kit.connectReceiver(FORM)
    submit(kit)
    await kit.waitForDelivery({ status: 'delivered' }, PATIENT)
    await kit.server.clock.advance('3h')
    kit.server.app.faults.add({ status: 500 })
    for (let sent = 0; sent < 8; sent += 1) await get(kit, '/me')

    kit.reset()

    expect(kit.server.clock.now()).toBe(began)
    expect(kit.server.app.faults.list()).toEqual([])
    // Ids start from 1 again.
    expect(kit.server.app.faults.add({ path: '/f/none' }).id).toBe(1)
    expect(kit.requests()).toEqual([])
    expect(kit.receiver.deliveries).toEqual([])
    expect(kit.server.app.webhooks.list(FORM)).toEqual([])
    expect(await countOf(kit)).toBe(3)
    for (let sent = 0; sent < 4; sent += 1) expect((await get(kit, '/me')).status).toBe(200)
    expect((await get(kit, '/me')).status).toBe(429)
    kit.reset()
    expect((await get(kit, '/me')).status).toBe(200)
    // Ids and secrets are the same as the first time.
    expect(await kit.connectReceiver(FORM)).toEqual(endpoint)
    expect(submit(kit).id).toBe(4)
  })

  it('returns to the seed any number of times', async () => {
    const kit = await start({ seed: SEED })
    const taken = () => JSON.stringify(kit.server.app.snapshot.take())
    const first = taken()
    for (let round = 0; round < 3; round += 1) {
      submit(kit)
      kit.server.app.forms.trash(FORM)
      kit.server.app.users.changePassword(kit.server.userId)
      kit.reset()
      expect(taken()).toBe(first)
    }
  })

  it('restarts the script of the receiver', async () => {
    const kit = await start({ seed: SEED, receiver: { script: ['500'] } })
    kit.receiver.respond('503', '503')
    for (let round = 0; round < 2; round += 1) {
      await kit.connectReceiver(FORM)
      submit(kit)
      expect((await kit.waitForDelivery({ attempts: 1 }, PATIENT)).http_status).toBe(500)
      submit(kit)
      expect((await kit.waitForDelivery({ response_id: 5, attempts: 1 }, PATIENT)).http_status).toBe(
        round === 0 ? 503 : 200,
      )
      kit.reset()
    }
  })
})

describe('fork', () => {
  it('starts from the same state, shares no changes in either direction, and resets to its start', async () => {
    const kit = await start({ seed: SEED })
    submit(kit)
    const fork = await keep(kit.fork())
    submit(fork)
    submit(fork)
    fork.server.app.forms.update(FORM, { title: 'Forked' })
    submit(kit)
    expect(await countOf(fork)).toBe(6)
    expect(await countOf(kit)).toBe(5)
    expect((await get(kit, `/forms/${FORM}`)).body).not.toMatchObject({ data: { title: 'Forked' } })
    fork.reset()
    expect(await countOf(fork)).toBe(4)
    expect(fork.server.clock.now()).toBe(kit.server.clock.now())
  })

  it('has the same keys but separate limits, journal, faults and clock', async () => {
    const kit = await start({ seed: SEED, limits: { requestsPerMinute: 2 } })
    await kit.server.clock.advance('1h')
    await get(kit, '/me')
    await get(kit, '/me')
    kit.server.app.faults.add({ status: 503 })
    const fork = await keep(kit.fork())
    expect(fork.clientOptions.apiKey).toBe(kit.clientOptions.apiKey)
    expect(fork.server.adminToken).toBe(kit.server.adminToken)
    expect((await get(fork, '/me')).status).toBe(200)
    expect(fork.requests()).toHaveLength(1)
    expect(fork.server.clock.now()).toBe(kit.server.clock.now())
    await fork.server.clock.advance('1h')
    expect(fork.server.clock.now()).toBe(kit.server.clock.now() + 3_600_000)
  })

  it("sends the fork's deliveries to the fork's receiver, verified", async () => {
    const kit = await start({ seed: SEED })
    await kit.connectReceiver(FORM)
    const fork = await keep(kit.fork())
    submit(fork)
    await fork.waitForDelivery({ status: 'delivered' }, PATIENT)
    expect(fork.receiver.deliveries).toMatchObject([{ verified: true }])
    expect(kit.receiver.deliveries).toEqual([])
  })

  it('can be forked again and outlives its origin', async () => {
    const kit = await start({ seed: SEED })
    const fork = await keep(kit.fork())
    submit(fork)
    const grandchild = await keep(fork.fork())
    await kit.close()
    await fork.close()
    submit(grandchild)
    expect(await countOf(grandchild)).toBe(5)
  })

  it("attempts pending deliveries in the fork on the fork's clock", async () => {
    const kit = await start({ seed: SEED, receiver: { script: ['500'] } })
    await kit.connectReceiver(FORM)
    submit(kit)
    await kit.waitForDelivery({ status: 'pending', attempts: 1 }, PATIENT)
    const fork = await keep(kit.fork())
    fork.receiver.respond('200')
    await fork.server.clock.advance('1m')
    expect(fork.receiver.deliveries).toHaveLength(1)
    expect(kit.receiver.deliveries).toHaveLength(1)
  })
})
