import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createReferenceServer } from '@formwire/reference-server'
import { Formwire } from '@formwire/sdk'
import { signWebhook } from '@formwire/webhook-verify'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { receiver } from '../src/receiver.ts'
import { summarize } from '../src/summary.ts'
import { FEEDBACK, SEED } from './seed.ts'

// Starts the CLI.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const example = join(import.meta.dirname, '..')

describe('a typed form', () => {
  const server = createReferenceServer({ seed: SEED, limits: 'off' })
  let generated = ''

  beforeAll(async () => {
    await server.ready
    const { url } = await server.listen({ port: 0 })
    generated = join(temporaryDirectory(), 'forms.ts')
    await promisify(execFile)(
      process.execPath,
      [inject('programs').cli, 'types', FEEDBACK, '--out', generated],
      { env: { ...process.env, FORMWIRE_BASE_URL: url, FORMWIRE_API_KEY: server.writeKey } },
    )
  })
  afterAll(() => server.close())

  it('has the types that its responses give', () => {
    expect(readFileSync(generated, 'utf8')).toBe(
      readFileSync(join(example, 'src', 'generated', 'forms.ts'), 'utf8'),
    )
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
