import { type FormwireKit, startFormwire } from '@formwire/reference-server/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { runCli } from '../../packages/cli/test/support/run-cli.ts'
import { FORM, NOON, SEED, SWEEP } from './support.ts'

let kit: FormwireKit | undefined
afterEach(() => kit?.close())

describe('the CLI with any unspecified behaviour', () => {
  it.each(SWEEP)('[ENV-04] reads, changes and deletes with %s', async (unspecified) => {
    kit = await startFormwire({
      seed: SEED,
      now: NOON,
      unspecified,
      listen: true,
      limits: { requestsPerMinute: 1000 },
    })
    const env = { FORMWIRE_BASE_URL: kit.clientOptions.baseUrl, FORMWIRE_API_KEY: kit.clientOptions.apiKey }
    const run = async (...argv: string[]) => {
      const { code, stdout, stderr } = await runCli([...argv, '--json'], { env })
      return { code, stderr, data: stdout === '' ? undefined : (JSON.parse(stdout) as never) }
    }
    const done = async (...argv: string[]): Promise<never> => {
      const { code, data, stderr } = await run(...argv)
      expect([argv.join(' '), code, stderr]).toEqual([argv.join(' '), 0, expect.any(String)])
      return data as never
    }

    expect(await done('whoami')).toMatchObject({ key: { scope: 'write' } })
    expect(((await done('forms', 'list')) as { title: string }[]).map((form) => form.title)).toEqual([
      'Swept',
      'Not yet',
      'Over',
    ])
    expect(await done('forms', 'get', FORM)).toMatchObject({ id: FORM, response_count: 30 })
    const responses = (await done('responses', 'list', FORM)) as { id: number }[]
    const newest = responses[0]?.id as number
    expect(await done('responses', 'get', FORM, String(newest))).toMatchObject({ id: newest, form_id: FORM })

    const endpoint = (await done('webhooks', 'create', FORM, kit.receiver.url)) as {
      id: number
      secret: string
    }
    expect(endpoint.secret).toMatch(/^whsec_/)
    expect(await done('webhooks', 'list', FORM)).toMatchObject([{ id: endpoint.id }])
    await done('webhooks', 'delete', FORM, String(endpoint.id), '--yes')

    expect(await done('forms', 'rename', FORM, 'By hand')).toMatchObject({ title: 'By hand' })
    expect(await done('forms', 'close', FORM)).toMatchObject({ status: 'closed' })
    expect(await done('forms', 'reopen', FORM)).toMatchObject({ status: 'published' })
    await done('responses', 'delete', FORM, String(newest), '--yes')

    expect((await run('responses', 'get', FORM, String(newest))).code).toBe(3)
    expect((await run('webhooks', 'create', FORM, 'ftp://example.com/')).code).toBe(1)
    const stranger = await runCli(['whoami'], { env: { ...env, FORMWIRE_API_KEY: 'svc_0000000000000000' } })
    expect(stranger.code).toBe(4)
  })
})
