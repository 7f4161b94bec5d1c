import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'

/** `Accept` of a browser that opens a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

let server: ReferenceServer
beforeAll(() => {
  server = createReferenceServer()
})
afterAll(() => server.close())

const get = (path: string, accept: string, method = 'GET') =>
  server.fetch(`http://127.0.0.1${path}`, { method, headers: { accept }, redirect: 'manual' })

describe('paths at which people look for the console', () => {
  it.each(['/', '/_app', '/_app/', '/_app/console/'])(
    'redirect a browser from %s to the console',
    async (path) => {
      const response = await get(path, BROWSER)
      expect(response.status).toBe(302)
      const location = new URL(response.headers.get('location') ?? '', `http://127.0.0.1${path}`)
      expect(location.pathname).toBe('/_app/console')
      expect(response.headers.get('vary')).toBe('accept')
      expect((await get(path, BROWSER, 'HEAD')).status).toBe(302)
    },
  )

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.5', ''])(
    'respond to Accept: %s as to any unknown path',
    async (accept) => {
      const root = await get('/', accept)
      expect([root.status, (await root.json()).error.code]).toEqual([404, 'not_found'])
      for (const path of ['/_app', '/_app/', '/_app/console/']) {
        const response = await get(path, accept)
        expect([path, response.status, (await response.json()).error.code]).toEqual([
          path,
          401,
          'unauthorized',
        ])
      }
    },
  )

  it('respond to other methods, and to other paths, with JSON even in a browser', async () => {
    expect((await get('/', BROWSER, 'POST')).status).toBe(404)
    const other = await get('/nowhere', BROWSER)
    expect([other.status, (await other.json()).error.code]).toEqual([404, 'not_found'])
  })
})
