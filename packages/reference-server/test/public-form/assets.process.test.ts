import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { makeQuestion } from '../../src/seed/questions.ts'
import { startForm } from './helpers.ts'

const QUESTIONS = [makeQuestion('short_text')]

it('[ENV-08] the public form serves its script and style sheet with an entity tag, and no other file', async () => {
  const { server } = await startForm(QUESTIONS)
  const get = (file: string, headers = {}) =>
    server.fetch(`http://formwire.test/f/assets/${file}`, { headers })
  const script = await get('form.js')
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect((await get('form.css')).headers.get('content-type')).toBe('text/css; charset=utf-8')
  const again = await get('form.js', { 'if-none-match': script.headers.get('etag') })
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect(script.headers.get('content-encoding')).toBeNull()
  let firstLoad = 0
  for (const file of ['form.js', 'form.css', 'icon.svg']) {
    const packed = await get(file, { 'accept-encoding': 'gzip, br' })
    expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
      'gzip',
      'accept-encoding',
    ])
    const plain = Buffer.from(await (await get(file)).arrayBuffer())
    const bytes = Buffer.from(await packed.arrayBuffer())
    expect(gunzipSync(bytes).equals(plain)).toBe(true)
    firstLoad += bytes.length
  }
  expect(firstLoad).toBeLessThan(16_384)
  for (const file of ['other.js', '..%2fmain.ts', '__proto__']) expect((await get(file)).status).toBe(404)
})
