import type { FormResponse } from '@formwire/contract'
import { Formwire, type FormwireOptions } from '@formwire/sdk'
import fc from 'fast-check'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'
import type { Seed, SeedForm, SeedQuestion } from '../../src/seed/format.ts'
import { createSeedFactory, everyQuestion } from '../../src/testing/index.ts'
import { ask, type Told } from '../support/server.ts'

/** What a random workspace has. */
export interface WorkspacePlan {
  seed: number
  forms: { questions: number; responses: number; drafts: number; hides: boolean }[]
}

/** Workspaces with questions of all types, scores, some of them hidden by an answer, other texts, and drafts. */
export const workspaces: fc.Arbitrary<WorkspacePlan> = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  forms: fc.array(
    fc.record({
      questions: fc.integer({ min: 0, max: 2 ** 22 - 1 }),
      responses: fc.nat({ max: 130 }),
      drafts: fc.nat({ max: 4 }),
      hides: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
})

/** Returns the seed of a workspace. */
export async function seedOfPlan({ seed, forms }: WorkspacePlan): Promise<Seed> {
  const make = await createSeedFactory(seed)
  return make.seed(
    ...forms.map(({ questions, hides, ...counts }, index) =>
      make.form({
        id: `form0000000${index}`,
        title: `Survey ${index}`,
        questions: questionsOf(questions, hides),
        webhooks: [{ url: `http://127.0.0.1:9/hook/${index}`, active: false }],
        ...counts,
      }),
    ),
  )
}

/** Questions with options, of which each is worth other points. */
const scored = (question: SeedQuestion): SeedQuestion => {
  const { type, options = type === 'yes_no' ? [{ id: 'yes' }, { id: 'no' }] : [] } = question
  if (!SCORED.has(type)) return question
  return { ...question, points: Object.fromEntries(options.map(({ id }, index) => [id, index + 1])) }
}
const SCORED = new Set(['single_choice', 'multiple_choice', 'dropdown', 'yes_no'])

/** The types whose bits are set. Where questions are hidden, each third one shows only after "yes". */
function questionsOf(bits: number, hides: boolean): SeedQuestion[] {
  const chosen = everyQuestion()
    .filter((_, index) => (bits >> index) & 1)
    .map(scored)
  if (!hides) return chosen
  const first: SeedQuestion = { id: 'gate', type: 'yes_no', title: 'Shall we go on?' }
  return [
    first,
    ...chosen.map((question, index) =>
      index % 3 === 0 ? { ...question, show_if: { question_id: 'gate', equals: 'yes' } } : question,
    ),
  ]
}

/** Types of questions whose answers are personal, as the page about scrubbing lists them. */
const PERSONAL = new Set(['short_text', 'long_text', 'email', 'url', 'phone', 'file', 'signature', 'address'])
const TECHNICAL = new Set(['device', 'browser', 'os'])

/** Texts that people write: in any script, with spaces and punctuation. */
export const writtenTexts: fc.Arbitrary<string[]> = fc.array(
  fc
    .string({ minLength: 8, maxLength: 60, unit: 'grapheme' })
    .map((text) => text.trim())
    .filter((text) => [...text].length >= 8),
  { minLength: 1, maxLength: 10 },
)

/** Puts texts wherever a respondent may write some. */
export function writeTexts(seed: Seed, texts: readonly string[]): void {
  let count = 0
  const next = (): string => texts[count++ % texts.length] as string
  for (const { questions = [], responses = [] } of seed.workspaces.flatMap(({ forms = [] }) => forms)) {
    const types = new Map(questions.map(({ id, type }) => [id, type]))
    for (const response of responses) {
      response.meta = {
        ...response.meta,
        ref: next(),
        utm: { campaign: next(), [`${next()}!`]: 1 },
        notes: [[next()]],
      }
      for (const answer of response.answers) {
        const type = types.get(answer.question_id)
        const value = answer.value as never
        if (type === 'short_text' || type === 'long_text') answer.value = next()
        else if (type === 'address') Object.assign(value, { line1: next(), city: next() })
        else if (type === 'file') for (const file of value as { name: string }[]) file.name = `${next()}.pdf`
        else if (typeof (value as { other?: unknown }).other === 'string')
          Object.assign(value, { other: next() })
      }
    }
  }
}

/** Returns every personal text that is in the seed of a workspace. */
export function personalTexts({ users, workspaces: all }: Seed): Set<string> {
  const found = new Set<string>()
  const add = (value: unknown): void => {
    if (typeof value === 'string') found.add(value)
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) add(one)
  }
  add(users)
  for (const { name, forms = [] } of all) {
    add(name)
    for (const { questions = [], responses = [], webhooks = [] } of forms) {
      const types = new Map(questions.map(({ id, type }) => [id, type]))
      for (const { url } of webhooks) add(url)
      for (const { email, meta = {}, answers } of responses) {
        add(email)
        for (const [key, value] of Object.entries(meta)) if (!TECHNICAL.has(key)) add(value)
        for (const { question_id: id, value } of answers)
          add(PERSONAL.has(types.get(id) ?? '') ? value : (value as { other?: unknown }).other)
      }
    }
  }
  return found
}

/** Starts a server in process. */
export async function serverOf(seed: Seed): Promise<ReferenceServer> {
  const server = createReferenceServer({ seed, clock: 'manual', now: '2026-11-20T12:00:00Z', limits: 'off' })
  await server.ready
  return server
}

/** Returns a client of a server. `before` is called with the URL of each request, and may respond in its place. */
export const sdkOf = (
  server: ReferenceServer,
  before: (url: string) => unknown = () => undefined,
  options: FormwireOptions = {},
): Formwire =>
  new Formwire({
    apiKey: server.readKey,
    rateLimit: false,
    ...options,
    fetch: async (...request) => {
      const instead = (await before(String(request[0]))) as Response | undefined
      return instead ?? (await server.fetch(...(request as unknown as [string])))
    },
  })

type Get = (path: string) => Promise<Told['json']>

/** Returns a function that reads JSON of the API. */
const reader =
  (server: ReferenceServer): Get =>
  async (path) =>
    (await ask(server, 'GET', `/api/v1${path}`)).json

async function listed(get: Get, formId: string, status: string): Promise<FormResponse[]> {
  const all: FormResponse[] = []
  for (let page = 1; ; page += 1) {
    const { data } = await get(`/forms/${formId}/responses?status=${status}&per_page=100&page=${page}`)
    all.push(...data)
    if (data.length < 100) return all
  }
}

/** Returns what every GET of the API returns, but for the key itself. */
export async function everyGet(server: ReferenceServer): Promise<Record<string, unknown>> {
  const get = reader(server)
  const { user, workspace } = (await get('/me')).data
  const found: Record<string, unknown> = { '/me': { user, workspace } }
  const read: Get = async (path) => {
    found[path] = await get(path)
    return found[path]
  }
  for (const { id } of (await read('/forms?per_page=100')).data) {
    await read(`/forms/${id}`)
    await read(`/forms/${id}/webhooks`)
    for (const status of ['submitted', 'in_progress'])
      for (const response of await listed(read, id, status))
        await read(`/forms/${id}/responses/${response.id}`)
  }
  return found
}

/** Returns the responses of a form, newest first. */
export const responsesOf = (server: ReferenceServer, formId: string, status = 'submitted') =>
  listed(reader(server), formId, status)

export const formIds = ({ workspaces: [workspace] }: Seed): string[] =>
  (workspace?.forms ?? []).map((form: SeedForm) => form.id ?? '')
