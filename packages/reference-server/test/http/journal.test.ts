import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openServer } from '../support/server.ts'

const KEY = 'svc_ThisIsNoRealKey000000000000'

describe('the journal', () => {
  it('leaves everything else as sent', async () => {
    const server = openServer({ limits: 'off' })
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
    const server = openServer({ limits: 'off' })
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
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 100) },
    )
  })
})
