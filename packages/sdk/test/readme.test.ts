import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as referenceServer from '@formwire/reference-server'
import * as referenceServerMsw from '@formwire/reference-server/msw'
import { type SetupServer, setupServer } from 'msw/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Examples } from '../../../test/support/examples.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import * as budget from '../src/budget/redis.ts'
import * as file from '../src/checkpoint/file.ts'
import * as sdk from '../src/index.ts'

const examples = new Examples(import.meta.url, ['../README.md', '../../../docs/reference/sdk.md'])
const block = (holding: string): string => examples.block(holding)

const BASE_URL = 'https://forms.example.com'

// The last test looks at what the others ran.
describe('the README', { shuffle: false }, () => {
  let server: ReturnType<typeof referenceServer.createReferenceServer>
  let formId = ''
  let folder = ''
  const listening: SetupServer[] = []

  const modules: Record<string, object> = {
    '@formwire/sdk': sdk,
    '@formwire/sdk/checkpoint/file': {
      fileCheckpoint: (directory: string) => file.fileCheckpoint(join(folder, directory)),
    },
    '@formwire/sdk/budget/redis': budget,
    './forms.zod.ts': { answerSchemas: {} },
    '@formwire/reference-server': referenceServer,
    '@formwire/reference-server/msw': referenceServerMsw,
    'msw/node': {
      setupServer: (...handlers: Parameters<typeof setupServer>) => {
        const one = setupServer(...handlers)
        listening.push(one)
        return one
      },
    },
  }

  const run = (code: string, given: Record<string, unknown>, then?: string): Promise<unknown> =>
    examples.run(code, modules, given, then)

  const client = () => new sdk.Formwire({ apiKey: server.writeKey, fetch: server.fetch, maxRetries: 0 })
  const answerWith = (value: number) =>
    server.app.responses.create(formId, { answers: [{ question_id: 'score', value }] })

  beforeEach(() => {
    folder = temporaryDirectory()
    server = referenceServer.createReferenceServer({
      routes: { 'https://example.com': 'http://127.0.0.1:9' },
    })
    const form = server.app.forms.create({
      title: 'Survey',
      questions: [{ id: 'score', type: 'nps', title: 'Would you recommend us?' }],
    })
    formId = form.id
    server.app.forms.publish(formId)
    vi.stubEnv('FORMWIRE_API_KEY', server.writeKey)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    for (const one of listening.splice(0)) one.close()
    await server.close()
  })

  it('has a quick start that works', async () => {
    answerWith(10)
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await run(block('setupServer('), { server }) // The quick start goes through the global fetch.
    await run(block('formwire.me()'), { id: formId })
    expect(log.mock.calls).toEqual([['Survey'], [true], [expect.stringMatching(/^whsec_/)]])
    expect(server.app.forms.get(formId)).toMatchObject({ title: 'Autumn survey', status: 'published' })
    const sent = server.app.requests.list().map(({ path }) => path)
    expect(sent).toContain('/api/v1/forms')
  })

  it('[FORM-06] has an example of errors that works', async () => {
    const code = block('instanceof NotFoundError')
    const draft = server.app.forms.create({ title: 'Draft' }).id
    expect(await run(code, { formwire: client(), id: 'nosuchform00' })).toBe('Form not found.')
    expect(await run(code, { formwire: client(), id: draft })).toBe('Invalid status.')
    expect(await run(code, { formwire: client(), id: formId })).toBeUndefined()
    const readOnly = new sdk.Formwire({ apiKey: server.readKey, fetch: server.fetch })
    await expect(run(code, { formwire: readOnly, id: formId })).rejects.toThrow(sdk.ForbiddenError)
  })

  it('[POLL-01] has a poll that works and resumes where it stopped', async () => {
    const code = block('fileCheckpoint(')
    const [first, second, third] = [answerWith(1), answerWith(2), answerWith(3)].map(({ id }) => id)
    const handled: number[] = []
    const handleUntil = (last?: number) => async (response: sdk.FormResponse) => {
      if (response.id === last) throw new Error('enough')
      handled.push(response.id)
    }
    const given = { formwire: client(), formId }
    await expect(run(code, { ...given, handle: handleUntil(third) })).rejects.toThrow('enough')
    expect(handled).toEqual([first, second])
    expect(readdirSync(join(folder, 'checkpoints'))).toEqual([`${formId}.json`])
    const fourth = answerWith(4).id
    await expect(run(code, { ...given, handle: handleUntil(fourth) })).rejects.toThrow('enough')
    expect(handled).toEqual([first, second, third])
  })

  it('[HOOK-02] has an example of webhooks that works', async () => {
    const then = 'return { secret, paused }'
    const once = await run(block('paused ='), { formwire: client(), formId }, then)
    expect(once).toEqual({ secret: expect.stringMatching(/^whsec_/), paused: [] })
    const [endpoint] = server.app.webhooks.list(formId)
    expect(endpoint).toMatchObject({ url: 'https://example.com/hook', active: true })
    server.app.webhooks.pause(formId, endpoint?.id as number)
    const again = await run(block('paused ='), { formwire: client(), formId }, then)
    expect(again).toMatchObject({ paused: [{ id: endpoint?.id, active: false }] })
  })

  it('has an example of typed answers that works', async () => {
    answerWith(9)
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await run(block('answersOf<GuestFeedback>'), { formwire: client(), formId })
    expect(log.mock.calls).toEqual([[true], [undefined]])
    vi.stubEnv('FORMWIRE_API_KEY', server.writeKey)
    vi.stubEnv('FORMWIRE_BASE_URL', BASE_URL)
    await run(block('answerSchemas }'), {}, 'await formwire.budget')
  })

  it('has a rate budget shared through Redis', async () => {
    const redis = { eval: async () => [1, 0, 0, 119] }
    const given = { Formwire: sdk.Formwire, apiKey: 'svc_k', baseUrl: BASE_URL, client: redis }
    expect(await run(block('redisBudget({'), given, 'return formwire.budget.perMinute')).toBe(120)
  })

  it('has an in-process client for tests', async () => {
    const me = await run(block('fetch: server.fetch'), { Formwire: sdk.Formwire }, 'return formwire.me()')
    expect(me).toMatchObject({ key: { scope: 'write' } })
  })

  it('has a server behind msw for code that creates its own client', async () => {
    await run(block('setupServer('), { server })
    const own = new sdk.Formwire({ apiKey: server.writeKey, baseUrl: BASE_URL })
    expect((await own.forms.get(formId)).title).toBe('Survey')
  })

  it('has no TypeScript that is not executed here', () => {
    expect([...examples.ran].toSorted()).toEqual(examples.blocks.toSorted())
  })
})
