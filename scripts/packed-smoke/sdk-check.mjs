import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const me = {
  user: { id: 1, name: 'Ada', email: 'ada@example.com' },
  workspace: { id: 1, name: 'W', role: 'owner' },
  key: { id: 1, name: 'k', prefix: 'svc_abcd', scope: 'write' },
}

const rows = Array.from({ length: 230 }, (_, index) => ({
  id: 230 - index,
  submitted_at: new Date(Date.UTC(2026, 10, 21) + (230 - index) * 1000).toISOString(),
}))

/** A few kilobytes that decompress to 30 MB of objects, which would take gigabytes. */
const bomb = gzipSync(`{"data":[{}${',{}'.repeat(10_000_000)}]}`)

/** Runs a minimal service on a free port. */
async function serve(use) {
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost')
    const send = (status, body) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (url.pathname === '/api/v1/me') return send(200, { data: me })
    if (url.pathname.endsWith('/bomb')) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      return response.end(bomb)
    }
    if (!url.pathname.endsWith('/responses')) {
      return send(404, { error: { code: 'not_found', message: 'Not found.' } })
    }
    const page = Number(url.searchParams.get('page') ?? 1)
    const perPage = Number(url.searchParams.get('per_page') ?? 25)
    const since = url.searchParams.get('since') ?? ''
    const found = rows.filter((row) => row.submitted_at >= since)
    const data = found.slice((page - 1) * perPage, page * perPage)
    send(200, { data, meta: { page, per_page: perPage, total: found.length } })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await use(`http://127.0.0.1:${server.address().port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** What the packed SDK must do with each transport, and with both of its builds in one process. */
export async function check(load) {
  const sdk = await load('@formwire/sdk')
  const { postgresBudget } = await load('@formwire/sdk/budget/postgres')
  const { redisBudget } = await load('@formwire/sdk/budget/redis')
  const { fileCheckpoint } = await load('@formwire/sdk/checkpoint/file')
  const { postgresCheckpoint } = await load('@formwire/sdk/checkpoint/postgres')
  const { redisCheckpoint } = await load('@formwire/sdk/checkpoint/redis')
  const { nodeTransport } = await load('@formwire/sdk/node')
  const { traceRequests } = await load('@formwire/sdk/otel')
  const { undiciTransport } = await load('@formwire/sdk/undici')
  assert.equal(typeof postgresBudget, 'function')
  assert.equal(typeof redisBudget, 'function')
  assert.equal(typeof postgresCheckpoint, 'function')
  assert.equal(typeof redisCheckpoint, 'function')
  const directory = mkdtempSync(join(tmpdir(), 'formwire-smoke-'))
  try {
    await serve(async (baseUrl) => {
      for (const options of [{}, { transport: nodeTransport() }, { transport: undiciTransport() }]) {
        const formwire = new sdk.Formwire({ apiKey: 'svc_k', baseUrl, validate: 'throw', ...options })
        assert.deepEqual(await formwire.me(), me)
        await assert.rejects(formwire.forms.get('abc'), (error) => error instanceof sdk.NotFoundError)
        await assert.rejects(
          formwire.forms.get('bomb'),
          (error) => error instanceof sdk.ResponseTooLargeError,
        )
      }
      const formwire = new sdk.Formwire({ apiKey: 'svc_k', baseUrl })
      const spans = []
      const startSpan = (name) => {
        spans.push(name)
        return { setAttribute() {}, setStatus() {}, end: () => spans.push('end'), spanContext: () => ({}) }
      }
      const stop = traceRequests({ startSpan })
      await formwire.me()
      stop()
      await formwire.me()
      assert.deepEqual(spans, ['GET', 'end'])
      const ids = []
      for await (const { id } of formwire.responses.poll('abc', {
        once: true,
        checkpoint: fileCheckpoint(directory, { sync: false }),
      })) {
        ids.push(id)
      }
      assert.deepEqual(
        ids,
        Array.from({ length: 230 }, (_, index) => index + 1),
      )
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  await checkCopies(await import('@formwire/sdk'), createRequire(import.meta.url)('@formwire/sdk'))
}

/** Errors of one copy are instances of the classes of the other, and the rate budget is shared. */
async function checkCopies(one, other) {
  assert.notEqual(one.Formwire, other.Formwire)
  await serve(async (baseUrl) => {
    const formwire = new one.Formwire({ apiKey: 'svc_shared', baseUrl })
    const error = await formwire.forms.get('abc').catch((caught) => caught)
    assert.ok(error instanceof other.NotFoundError)
    assert.ok(other.isApiError(error))
    assert.equal(new other.Formwire({ apiKey: 'svc_shared', baseUrl }).budget.remaining, 119)
  })
}
