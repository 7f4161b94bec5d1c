/** What only the built programs can break. What they do is proven with the sources, in the packages. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteStore } from '@formwire/sync/sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryDirectory } from '../support/temporary.ts'
import { cli, type Json, ServerProcess } from './support.ts'

let server: ServerProcess
let form: Json

beforeAll(async () => {
  server = await ServerProcess.start('--seed', 'empty', '--clock', 'manual', '--rate-limits', 'off')
  form = await server.publishedForm([{ id: 'q1', type: 'short_text', title: 'Name' }])
  for (const value of ['Ada', 'Bo', 'Cy'])
    await server.app('POST', `/forms/${form.id}/responses`, { answers: [{ question_id: 'q1', value }] })
})
afterAll(() => server.stop())

const run = (...argv: string[]) =>
  cli(argv, { FORMWIRE_API_KEY: server.first.write_key, FORMWIRE_BASE_URL: server.first.url })

it('no rule is broken, by the conformance cases of the command line', async () => {
  const { code, stdout } = await run('conformance', form.id, '--write', '--json')
  const { totals } = JSON.parse(stdout)
  expect([code, totals.broken, totals.held > 20]).toEqual([0, 0, true])
})

it('[FORM-07] the public form and the console have their styles, scripts, icons and fonts', async () => {
  const fonts = ['inter', 'inter-digits', 'jetbrains-mono'].map((name) =>
    readFileSync(new URL(`../../packages/reference-server/src/fonts/${name}.woff2`, import.meta.url)),
  )
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  for (const page of [`/f/${form.slug}`, '/_app/console']) {
    const { text } = await server.raw('GET', page, { accept: 'text/html' })
    const assets = [...text.matchAll(/(?:href|src)="([^"]+\.(?:css|js|svg))"/g)].map(
      ([, path = '']) => new URL(path, server.first.url + page),
    )
    const loaded = await Promise.all(
      assets.map(async ({ pathname }) => ({ pathname, ...(await server.raw('GET', pathname)) })),
    )
    expect(new Set(loaded.map(({ status, headers }) => `${status} ${headers.get('content-type')}`))).toEqual(
      new Set(['200 image/svg+xml', '200 text/css; charset=utf-8', '200 text/javascript; charset=utf-8']),
    )
    const urls = loaded.flatMap(({ pathname, text: css }) =>
      [...css.matchAll(/@font-face\{[^}]*url\(([^)]+)\)/g)].map(
        ([, file = '']) => new URL(file, server.first.url + pathname),
      ),
    )
    const served = await Promise.all(urls.map(async (url) => (await fetch(url)).arrayBuffer()))
    expect(served.map((bytes) => hash(new Uint8Array(bytes)))).toEqual(fonts.map(hash))
  }
})

it('a snapshot is restored with its keys, and a reset leads back to the seed', async () => {
  const snapshot = await server.app('GET', '/snapshot')
  await server.app('POST', '/reset')
  expect((await server.api('GET', '/forms')).body.data).toEqual([])
  expect((await server.app('PUT', '/snapshot', snapshot.body)).status).toBe(200)
  expect((await server.api('GET', `/forms/${form.id}`)).body.data.id).toBe(form.id)
})

it('responses are exported to CSV, and synchronized into SQLite', async () => {
  const csv = await run('responses', 'export', form.id, '--format', 'csv')
  expect([csv.code, csv.stdout.trim().split(/\r?\n/).length]).toEqual([0, 4])
  const path = join(temporaryDirectory(), 'copy.db')
  const once = await run('sync', form.id, '--to', `sqlite:${path}`, '--once', '--json')
  expect([once.code, JSON.parse(once.stdout).inserted]).toEqual([0, 3])
  const store = sqliteStore(path)
  const rows = await store.read(`SELECT q1 FROM formwire_form_${form.id.toLowerCase()} ORDER BY id`)
  await store.close()
  expect(rows).toEqual([{ q1: 'Ada' }, { q1: 'Bo' }, { q1: 'Cy' }])
})
