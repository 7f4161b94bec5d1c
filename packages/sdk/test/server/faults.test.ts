import { createReferenceServer } from '@formwire/reference-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { quickClock } from '../../../../test/support/quick-clock.ts'
import { type Clock, Formwire, type Transport } from '../../src/index.ts'
import { nodeTransport } from '../../src/node.ts'
import { undiciTransport } from '../../src/undici.ts'

const transports: [string, () => Transport | undefined][] = [
  ['fetch', () => undefined],
  ['/node', () => nodeTransport()],
  ['/undici', () => undiciTransport()],
]

describe.each(transports)('a client of a reference server on a socket, through %s', (_name, create) => {
  let server: ReturnType<typeof createReferenceServer>
  let formwire: Formwire
  let formId = ''
  let clock: Clock
  const client = (apiKey: string, baseUrl: string): Formwire => {
    const transport = create()
    return new Formwire({ apiKey, baseUrl, clock, random: () => 0, ...(transport ? { transport } : {}) })
  }
  let url = ''

  beforeEach(async () => {
    server = createReferenceServer()
    url = (await server.listen({ port: 0 })).url
    clock = quickClock()
    formwire = client(server.writeKey, url)
    formId = server.app.forms.create({ title: 'Survey' }).id
  })
  afterEach(() => server.close())

  const respond = (): number => server.app.responses.create(formId).id

  it.each(['before', 'unanswered', 'middle'] as const)(
    'counts a deletion whose connection is lost (%s) as done, once',
    async (reset) => {
      const id = respond()
      server.app.faults.add({ method: 'DELETE', reset, times: 1 })
      const { data, response } = await formwire.responses.delete(formId, id).withResponse()
      expect(data).toEqual({ id, deleted: true })
      expect(response.attempts).toBe(2)
      expect(server.app.responses.list(formId).total).toBe(0)
    },
  )

  it('[RATE-01] stays below the rate limit of the service without a 429', async () => {
    const statuses = new Set<number>()
    const transport = create()
    const counting = new Formwire({
      apiKey: server.writeKey,
      baseUrl: url,
      onResponse: ({ status }) => statuses.add(status),
      ...(transport ? { transport } : {}),
    })
    const stop = new AbortController()
    let done = 0
    const calls = Array.from({ length: 130 }, async () => {
      await counting.me({ signal: stop.signal })
      done += 1
    })
    await expect.poll(() => done).toBe(120)
    // A request beyond the limit would have been sent by now: its turn comes after this one.
    expect((await client(server.readKey, url).me()).key.scope).toBe('read')
    stop.abort()
    await Promise.allSettled(calls)
    expect([done, [...statuses]]).toEqual([120, [200]])
  })
})
