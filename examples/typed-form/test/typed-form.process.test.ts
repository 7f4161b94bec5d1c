import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createReferenceServer } from '@formwire/reference-server'
import { Formwire } from '@formwire/sdk'
import { signWebhook } from '@formwire/webhook-verify'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { typeErrors, writeProject } from '../../../test/support/type-errors.ts'
import { receiver } from '../src/receiver.ts'
import { summarize } from '../src/summary.ts'
import { FEEDBACK, SEED } from './seed.ts'

// Starts the CLI and a compiler.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const example = join(import.meta.dirname, '..')

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  target: 'es2023',
  module: 'nodenext',
  customConditions: ['@formwire/source'],
  types: ['node'],
}

describe('a typed form', () => {
  const server = createReferenceServer({ seed: SEED, limits: 'off' })
  let directory = ''
  let generated = ''

  beforeAll(async () => {
    await server.ready
    const { url } = await server.listen({ port: 0 })
    // Below the example, so that imports are resolved as in it.
    mkdirSync(join(example, 'node_modules', '.cache'), { recursive: true })
    directory = mkdtempSync(join(example, 'node_modules', '.cache', 'typed-form-'))
    generated = join(directory, 'generated', 'forms.ts')
    mkdirSync(join(directory, 'generated'))
    await promisify(execFile)(
      process.execPath,
      [inject('programs').cli, 'types', FEEDBACK, '--out', generated],
      { env: { ...process.env, FORMWIRE_BASE_URL: url, FORMWIRE_API_KEY: server.writeKey } },
    )
  })
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true })
    await server.close()
  })

  it('has the types that its responses give', () => {
    expect(readFileSync(generated, 'utf8')).toBe(
      readFileSync(join(example, 'src', 'generated', 'forms.ts'), 'utf8'),
    )
  })

  it('compiles under strict, but not with a wrong question id, a wrong value or an unchecked optional answer', async () => {
    const [summary = '', receive = ''] = ['summary.ts', 'receiver.ts'].map((name) =>
      readFileSync(join(example, 'src', name), 'utf8'),
    )
    const wrong = summary
      .replace('{ nps, room, remark }', '{ nsp, nps, room, remark }')
      .replace('nps.value <= 6', "nps.value === 'six'")
      .replace('room?.value', 'room.value')
    writeProject(directory, OPTIONS, { 'summary.ts': summary, 'receiver.ts': receive, 'wrong.ts': wrong })
    expect((await typeErrors(directory)).map(({ file, message }) => [file, message])).toEqual([
      ['wrong.ts', "Property 'nsp' does not exist on type 'GuestFeedback'."],
      ['wrong.ts', "'room' is possibly 'undefined'."],
      [
        'wrong.ts',
        "This comparison appears to be unintentional because the types 'number' and 'string' have no overlap.",
      ],
    ])
  })

  it('reads responses', async () => {
    const formwire = new Formwire({ apiKey: server.writeKey, fetch: server.fetch, rateLimit: false })
    expect(await summarize(formwire, FEEDBACK)).toEqual({
      twin: { guests: 2, meanNps: 6, complaints: ['Too loud.'] },
      other: { guests: 1, meanNps: 9, complaints: [] },
    })
  })

  it('reads webhooks', async () => {
    const secret = `whsec_${'s'.repeat(32)}`
    const remarks: (string | undefined)[] = []
    const formwire = new Formwire({ apiKey: server.writeKey, fetch: server.fetch })
    const [response] = (await formwire.responses.list(FEEDBACK)).data
    if (!response) throw new Error('no response')
    const { id, submitted_at, answers, score, max_score, meta } = response
    const { headers, body } = signWebhook({
      secret,
      event: 'response.submitted',
      payload: {
        form: { id: FEEDBACK, title: 'Guest feedback' },
        response: { id, submitted_at: submitted_at ?? '', answers, score, max_score, meta },
      },
    })
    const receive = receiver(secret, (remark) => remarks.push(remark))
    expect((await receive({ headers, body })).status).toBe(200)
    expect(remarks).toEqual(['Too loud.'])
  })
})
