import { Formwire, NotFoundError } from '@formwire/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { OptionError } from '../../src/known-names.ts'
import { createSeedFactory, startFormwire } from '../../src/testing/index.ts'

const FORM = 'survey000001'

const origin = async () => {
  const make = await createSeedFactory(3)
  const questions = [make.question('short_text'), make.question('nps')]
  return await startFormwire({
    seed: make.seed(make.form({ id: FORM, questions, responses: 120, drafts: 2 })),
  })
}

it('serves a scrubbed copy of another service, in which writes stay', async () => {
  await using service = await origin()
  await using kit = await startFormwire({
    pull: { ...service.readOnlyClientOptions, forms: [FORM], drafts: true },
  })
  const [one, other] = [new Formwire(service.clientOptions), new Formwire(kit.clientOptions)]
  const before = await one.responses.list(FORM, { per_page: 100 })
  const copied = await other.responses.list(FORM, { per_page: 100 })
  expect(copied.meta).toEqual(before.meta)
  expect(copied.data.map(({ id }) => id)).toEqual(before.data.map(({ id }) => id))
  expect(copied.data[0]?.email).not.toBe(before.data[0]?.email)
  expect((await other.responses.list(FORM, { status: 'in_progress' })).meta.total).toBe(2)
  await other.responses.delete(FORM, copied.data[0]?.id ?? 0)
  expect((await one.forms.get(FORM)).response_count).toBe(120)
})

it('sends GET requests only', async () => {
  await using service = await origin()
  await using kit = await startFormwire({ pull: service.readOnlyClientOptions })
  expect(kit.server.app.forms.list()).toHaveLength(1)
  const requests = service.server.app.requests.list()
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  // The key, the list of forms and two pages.
  expect(requests).toHaveLength(4)
})

it('shows the console where the data comes from, also in snapshots, forks and after a reset', async () => {
  await using service = await origin()
  await using kit = await startFormwire({ pull: service.readOnlyClientOptions })
  const sourceOf = async ({ server }: typeof kit): Promise<unknown> => {
    const response = await server.fetch('http://formwire.test/_app/catalog?include=source', {
      headers: { authorization: `Bearer ${server.adminToken}` },
    })
    return ((await response.json()) as { data: { source: unknown } }).data.source
  }
  const source = { base_url: 'http://formwire.test', pulled_at: expect.any(String), scrubbed: 'normal' }
  expect(await sourceOf(kit)).toEqual(source)
  const snapshot = JSON.parse(JSON.stringify(kit.server.app.snapshot.take())) as object
  await using again = await startFormwire({ snapshot })
  expect(await sourceOf(again)).toEqual(source)
  await using fork = await kit.fork()
  expect(await sourceOf(fork)).toEqual(source)
  await using other = await startFormwire()
  expect(await sourceOf(other)).toBe(null)
  other.server.app.snapshot.restore(snapshot)
  expect(await sourceOf(other)).toEqual(source)
  other.server.app.reset()
  expect(await sourceOf(other)).toBe(null)
})

it.each([[['nothere00000']], [[FORM, 'nothere00000']], [['nothere00000', 'gone00000000']]])(
  'rejects with the NotFoundError of the SDK when forms of %j are not found',
  async (forms) => {
    await using service = await origin()
    const pull = { ...service.readOnlyClientOptions, forms }
    await expect(startFormwire({ pull })).rejects.toThrow(NotFoundError)
  },
)

it.each([
  [{ keep: `${FORM}.name` }, 'pull: keep must be an array of FORM.QUESTION, got "survey000001.name".'],
  [{ replace: ['name'] }, 'pull: replace must name a question as FORM.QUESTION, got "name".'],
  [{ since: 'yesterday' }, 'pull: since must be an ISO 8601 time, got "yesterday".'],
  [{ limit: 0 }, 'pull: limit must be a positive integer, got 0.'],
  [{ shiftMs: '90d' }, 'pull: shiftMs must be a number, got "90d".'],
  [{ scrub: true }, 'pull: scrub must be "normal", "strict" or false, got true.'],
  [{ scrub: false, keep: ['a.b'] }, 'pull: keep and replace require scrubbing.'],
  [{ form: FORM }, 'Unknown option "form"; did you mean "forms"?'],
])('refuses %j before it sends a request', async (options, message) => {
  await using service = await origin()
  const pull = { ...service.readOnlyClientOptions, ...options } as never
  await expect(startFormwire({ pull })).rejects.toThrow(message)
  await expect(startFormwire({ seed: 'demo', pull })).rejects.toThrow('cannot be combined with seed')
  expect(service.server.app.requests.list()).toEqual([])
})

it('pulls from FORMWIRE_BASE_URL without a base URL, and refuses forms that are not an array', async () => {
  await using service = await origin()
  const { baseUrl, ...access } = service.readOnlyClientOptions
  vi.stubEnv('FORMWIRE_BASE_URL', baseUrl)
  onTestFinished(() => void vi.unstubAllEnvs())
  await using kit = await startFormwire({ pull: access })
  expect(kit.server.app.forms.list()).toHaveLength(1)
  const pull = { ...service.readOnlyClientOptions, forms: FORM as never }
  await expect(startFormwire({ pull })).rejects.toThrow(OptionError)
})
