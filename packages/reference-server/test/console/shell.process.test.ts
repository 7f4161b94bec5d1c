import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'

/** The files of a first load: page, script and style sheet. */
const FIRST_LOAD_MAX_BYTES = 60_000

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Sends a GET with headers that `fetch` does not allow. */
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

  it('requires no token and contains no data', async () => {
    const url = await listen()
    server.app.forms.create({ title: 'A title that must not be here' })
    const { status, headers, body } = await get(url)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['set-cookie']).toBeUndefined()
    expect(body.toString()).not.toContain('A title that must not be here')
    expect(body.toString()).not.toContain(server.adminToken)
  })

  it('allows no inline sources, no other hosts, and is not framed', async () => {
    const { headers, body } = await get(await listen())
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(body.toString()).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son[a-z]+=|https?:/)
  })

  it('loads at most 60 kB of gzip without the fonts, from this host only', async () => {
    const url = await listen()
    const page = (await get(url)).body
    const files = [...page.toString().matchAll(/(?:src|href)="([^"]+)"/g)]
      .map((match) => match[1] ?? '')
      .filter((file) => !file.endsWith('.woff2'))
    expect(files).toEqual(['console/icon.svg', 'console/console.css', 'console/console.js'])
    let bytes = page.length
    // The loop reaches the scripts that are added below: those that the script of the page imports, and these in turn.
    for (const file of files) {
      const response = await get(new URL(file, url).href, { 'accept-encoding': 'gzip' })
      expect(response.status).toBe(200)
      expect(response.headers['content-encoding']).toBe('gzip')
      bytes += response.body.length
      if (!file.endsWith('.js')) continue
      const imports = gunzipSync(response.body)
        .toString()
        .matchAll(/\b(?:from|import)"\.\/([^"]+)"/g)
      for (const [, name] of imports) if (!files.includes(`console/${name}`)) files.push(`console/${name}`)
    }
    expect(bytes).toBeLessThan(FIRST_LOAD_MAX_BYTES)
    expect(bytes).toBeGreaterThan(10_000)
  })

  it('sends files uncompressed without gzip support, and 304 for a matching entity tag', async () => {
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

  it('responds to an unknown file with 404', async () => {
    const url = await listen()
    expect((await get(`${url}/../../package.json`)).status).toBe(404)
    expect((await get(`${url}/toString`)).status).toBe(404)
    expect((await get(`${url}/%2e%2e%2fbundle.ts`)).status).toBe(404)
  })

  it.each<Record<string, string>>([
    { host: 'attacker.example' },
    { origin: 'https://attacker.example' },
    { 'sec-fetch-site': 'cross-site' },
  ])('refuses a foreign host or page, even for the shell and with the token: %j', async (foreign) => {
    const url = await listen()
    for (const path of ['', '/console.js', '/../deliveries/stream']) {
      const { status, headers, body } = await get(new URL(url + path).href, {
        ...foreign,
        authorization: `Bearer ${server.adminToken}`,
      })
      expect([path, status, JSON.parse(body.toString()).error.code]).toEqual([path, 403, 'forbidden'])
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })
})
