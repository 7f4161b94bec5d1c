import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { leastCpuMs } from '../../../../test/support/least-cpu.ts'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'

const open: ReferenceServer[] = []
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())))

function start(): ReferenceServer {
  const server = createReferenceServer({ clock: 'manual', limits: 'off' })
  open.push(server)
  return server
}

const KEY = 'svc_ThisIsNoRealKey000000000000'
const SHOWN = 'svc_ThisIs…'

describe('the journal', () => {
  it.each([
    ['as it is', KEY],
    ['with its prefix encoded', '%73vc_ThisIsNoRealKey000000000000'],
    ['with its underscore encoded', 'svc%5fThisIsNoRealKey000000000000'],
    ['with its secret encoded', 'svc_%54%68isIsNoRealKey00000000000%30'],
    ['encoded twice', '%2573vc%255F%2554hisIsNoRealKey000000000000'],
    ['with a character encoded 500 times', `svc_Th%${'25'.repeat(499)}69sIsNoRealKey000000000000`],
  ])('[AUTH-02] keeps only the prefix of a key %s, wherever it appears', async (_how, key) => {
    const server = start()
    await server.fetch(`http://formwire.test/api/v1/forms/${key}/x?key=${key}&a=${key}b`, {
      headers: { 'user-agent': `client/1 (${key})` },
    })
    await server.fetch('http://formwire.test/api/v1/me', { method: 'svc_ThisIsNoRealKey000000000000' })
    const [second, first] = server.app.requests.list()
    expect(first).toMatchObject({
      path: `/api/v1/forms/${SHOWN}/x`,
      query: `key=${SHOWN}&a=${SHOWN}`,
      user_agent: `client/1 (${SHOWN})`,
    })
    expect(second?.method).toBe('SVC_THISIS…')
  })

  it('has the code and the message of an error, without the keys in it', async () => {
    const server = start()
    const ask = (path: string) =>
      server.fetch(`http://formwire.test/api/v1${path}`, {
        headers: { authorization: `Bearer ${server.readKey}` },
      })
    await ask('/me')
    await ask(`/forms?status=${KEY}`)
    server.app.faults.add({ status: 502, times: 1 })
    await ask('/me')
    const errors = server.app.requests
      .list()
      .map(({ status, error }) => [status, error?.code, error?.message])
    expect(errors.map(([status, code]) => [status, code])).toEqual([
      [502, undefined],
      [422, 'validation_failed'],
      [200, undefined],
    ])
    expect(errors[1]?.[2]).toContain(SHOWN)
    expect(errors[1]?.[2]).not.toContain(KEY)
  })

  it('leaves everything else as sent', async () => {
    const server = start()
    await server.fetch('http://formwire.test/api/v1/f%20o/svc?per_page=%31&x=svc_&y=%', {
      headers: { 'user-agent': '100% svc/1.0 (x86_64)' },
    })
    expect(server.app.requests.list()[0]).toMatchObject({
      path: '/api/v1/f%20o/svc',
      query: 'per_page=%31&x=svc_&y=%',
      user_agent: '100% svc/1.0 (x86_64)',
    })
  })

  it('[AUTH-02] contains no key in any encoding, header, path or query', async () => {
    const server = start()
    const encode = (character: string, depth: number): string => {
      if (depth === 0) return character
      const hex = character.charCodeAt(0).toString(16)
      return `%${'25'.repeat(depth - 1)}${depth % 2 === 0 ? hex.toUpperCase() : hex}`
    }
    const spelled = fc.array(fc.nat(3), { minLength: KEY.length, maxLength: KEY.length })
    const places = fc.constantFrom(
      'user-agent',
      'referer',
      'cookie',
      'x-api-key',
      'x-forwarded-for',
      'authorization',
      'path',
      'query',
      'name',
    )
    await fc.assert(
      fc.asyncProperty(spelled, places, async (depths, place) => {
        const key = [...KEY].map((character, index) => encode(character, depths[index] ?? 0)).join('')
        server.app.requests.clear()
        await server.fetch(
          `http://formwire.test/api/v1/${place === 'path' ? key : 'me'}?${place === 'name' ? key : 'a'}=${place === 'query' ? key : ''}`,
          { headers: /^(path|query|name)$/.test(place) ? {} : { [place]: `x ${key} y` } },
        )
        let text = JSON.stringify([server.app.requests.list(), server.app.requests.get('1')])
        expect(text).toContain('/api/v1/')
        for (let pass = 0; pass < 4; pass += 1) {
          text = text.replace(/%[0-9a-f]{2}/gi, decodeURIComponent)
          expect(text).not.toContain(KEY.slice(0, 12))
        }
      }),
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 300) },
    )
  })

  it('takes time linear in the length of the text', async () => {
    const server = start()
    const cost = (bytes: number, enough?: number): Promise<number> =>
      leastCpuMs(async () => {
        const secrets = ['whsec', 'w%25', ':%2f%2f', '%3a%252f%252f', ':\\\\/', '@']
        for (const text of ['s', 's%25', '%25', 'svc_', 'svc%5f%25', ...secrets]) {
          await server.fetch(`http://formwire.test/api/v1/me?${text.repeat(bytes / text.length)}`)
        }
        // One character encoded repeatedly. Shorter: one pass per encoding would take minutes.
        await server.fetch(`http://formwire.test/api/v1/me?svc_a%${'25'.repeat(bytes / 16)}41`)
      }, enough)
    await cost(16_384, Number.POSITIVE_INFINITY)
    // A text 16 times as long would take 256 times as long if each character were compared with the whole.
    const limit = (await cost(65_536)) * 80
    expect(await cost(1_048_576, limit)).toBeLessThan(limit)
  })
})
