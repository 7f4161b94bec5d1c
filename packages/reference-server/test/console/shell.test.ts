import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'

/** First load: the page, its program and its style sheet. */
const FIRST_LOAD_MAX_BYTES = 60_000

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** A GET with headers that `fetch` would not let through. */
const get = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
      .on('error', reject)
      .end()
  })

describe('the console shell', () => {
  let server: ReferenceServer
  const listen = async () => {
    server = createReferenceServer({ clock: 'manual' })
    return `${(await server.listen({ port: 0 })).url}/_app/console`
  }
  afterEach(() => server.close())

  it('needs no token and holds no data', async () => {
    const url = await listen()
    server.app.forms.create({ title: 'A title that must not be here' })
    const { status, headers, body } = await get(url)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['set-cookie']).toBeUndefined()
    expect(body.toString()).not.toContain('A title that must not be here')
    expect(body.toString()).not.toContain(server.adminToken)
  })

  it('names every source of the page: none inline, none from another host, no frame', async () => {
    const { headers, body } = await get(await listen())
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(body.toString()).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son[a-z]+=|https?:/)
  })

  it('loads at most 60 kB, gzip, from this host alone', async () => {
    const url = await listen()
    const page = (await get(url)).body
    const files = [...page.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(files).toEqual(['console/icon.svg', 'console/console.css', 'console/console.js'])
    let bytes = page.length
    for (const file of files) {
      const answer = await get(new URL(file, url).href, { 'accept-encoding': 'gzip' })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-encoding']).toBe('gzip')
      bytes += answer.body.length
    }
    expect(bytes).toBeLessThan(FIRST_LOAD_MAX_BYTES)
    expect(bytes).toBeGreaterThan(10_000)
  })

  it('sends the same file plain to whoever takes no gzip, and nothing to whoever has it', async () => {
    const url = `${await listen()}/console.js`
    const zipped = await get(url, { 'accept-encoding': 'br, gzip;q=0.8' })
    const plain = await get(url, { 'accept-encoding': 'br, gzip;q=0' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true)
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    const again = await get(url, { 'if-none-match': String(plain.headers.etag) })
    expect(again.status).toBe(304)
    expect(again.body.length).toBe(0)
  })

  it('answers an unknown file with 404', async () => {
    const url = await listen()
    expect((await get(`${url}/../../package.json`)).status).toBe(404)
    expect((await get(`${url}/toString`)).status).toBe(404)
    expect((await get(`${url}/%2e%2e%2fbundle.ts`)).status).toBe(404)
  })

  it('gives a foreign Host nothing, not even the shell', async () => {
    const url = await listen()
    for (const path of ['', '/console.js']) {
      const { status, body } = await get(url + path, { host: 'attacker.example' })
      expect(status).toBe(403)
      expect(JSON.parse(body.toString()).error.code).toBe('forbidden')
    }
  })

  it('gives a page of a foreign origin nothing, with the token neither', async () => {
    const url = await listen()
    const headers = { origin: 'https://attacker.example', authorization: `Bearer ${server.adminToken}` }
    for (const path of [
      '/_app/console',
      '/_app/console/console.js',
      '/_app/forms',
      '/_app/deliveries/stream',
    ]) {
      const answer = await get(new URL(path, url).href, headers)
      expect(answer.status).toBe(403)
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
    expect((await get(url, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})
