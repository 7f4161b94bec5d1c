import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FORM = 'guestvoice01'

/** Entry points that need a server of their own, and a function of each. */
const STORES = {
  'budget/postgres': 'postgresBudget',
  'budget/redis': 'redisBudget',
  'checkpoint/postgres': 'postgresCheckpoint',
  'checkpoint/redis': 'redisCheckpoint',
}

/** What the packed SDK must do with each transport, and with both of its builds in one process. */
export async function check(load) {
  const sdk = await load('@formwire/sdk')
  const { fileCheckpoint } = await load('@formwire/sdk/checkpoint/file')
  const { nodeTransport } = await load('@formwire/sdk/node')
  const { traceRequests } = await load('@formwire/sdk/otel')
  const { undiciTransport } = await load('@formwire/sdk/undici')
  const { createSeedFactory, startFormwire } = await load('@formwire/reference-server/testing')
  for (const [entry, name] of Object.entries(STORES))
    assert.equal(typeof (await load(`@formwire/sdk/${entry}`))[name], 'function')
  const make = await createSeedFactory(1)
  const kit = await startFormwire({ seed: make.seed(make.form({ id: FORM, responses: 230 })), listen: true })
  const directory = mkdtempSync(join(tmpdir(), 'formwire-smoke-'))
  try {
    const { apiKey, baseUrl } = kit.clientOptions
    for (const options of [{}, { transport: nodeTransport() }, { transport: undiciTransport() }]) {
      const formwire = new sdk.Formwire({ apiKey, baseUrl, validate: 'throw', ...options })
      assert.equal((await formwire.me()).key.scope, 'write')
      await assert.rejects(formwire.forms.get('abc'), (error) => error instanceof sdk.NotFoundError)
    }
    const formwire = new sdk.Formwire({ apiKey, baseUrl })
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
    const checkpoint = fileCheckpoint(directory, { sync: false })
    for await (const { id } of formwire.responses.poll(FORM, { once: true, checkpoint })) ids.push(id)
    assert.equal(new Set(ids).size, 230)
    await checkCopies({ apiKey: kit.server.readKey, baseUrl })
  } finally {
    await kit.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Errors of one copy are instances of the classes of the other, and the rate budget is shared. */
async function checkCopies(options) {
  const [one, other] = [await import('@formwire/sdk'), createRequire(import.meta.url)('@formwire/sdk')]
  assert.notEqual(one.Formwire, other.Formwire)
  const error = await new one.Formwire(options).forms.get('abc').catch((caught) => caught)
  assert.ok(error instanceof other.NotFoundError)
  assert.ok(other.isApiError(error))
  assert.equal(new other.Formwire(options).budget.remaining, 119)
}
