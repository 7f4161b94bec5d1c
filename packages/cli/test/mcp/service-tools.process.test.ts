import { describe, expect, it, onTestFinished } from 'vitest'
import { connectMcp } from '../support/mcp.ts'
import { SURVEY, startService } from '../support/service.ts'

describe('the built program', () => {
  it('serves the tools of the configured service', async () => {
    const { server, url, env } = await startService({ limits: 'off' })
    onTestFinished(() => server.close())
    const settings = { FORMWIRE_BASE_URL: url, FORMWIRE_API_KEY: env.FORMWIRE_API_KEY ?? '' }
    const { client, call } = await connectMcp(['--no-local', '--allow-write'], settings, {
      capabilities: { elicitation: {} },
    })
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return { action: 'accept', content: { confirm: true } }
    })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['forms', 'responses', 'types', 'change']),
    )
    expect((await call('forms')).value.total).toBe(2)
    expect((await call('forms', { form: SURVEY })).value.questions).toHaveLength(3)
    expect((await call('responses', { form: SURVEY })).value.items).toHaveLength(2)
    for (const format of ['ts', 'zod', 'json-schema'])
      expect((await call('types', { forms: [SURVEY], format })).value.module).toContain('formwire/types')
    const deletion = { action: 'delete_responses', form: SURVEY, ids: [1] }
    const { token } = (await call('change', deletion)).value
    const guess = await call('change', { ...deletion, token: `${token}0` })
    expect([guess.isError, guess.value.error.code]).toEqual([true, 'invalid_token'])
    expect((await call('change', { ...deletion, token })).value.deleted).toEqual([1])
    expect(asked).toHaveLength(1)
    expect(server.app.responses.list(SURVEY).total).toBe(1)
  })
})
