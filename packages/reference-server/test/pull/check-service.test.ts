import type { FormResponse } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { checkSeed, type PullClient, pullWorkspace } from '../../src/pull/index.ts'
import type { Seed, SeedForm } from '../../src/seed/format.ts'
import { answer, clientOf, FORM, response } from './service.ts'

const pulled = async (client: PullClient): Promise<Seed> => {
  const { seed } = await pullWorkspace(client, { baseUrl: 'https://forms.example.com', scrub: 'normal' })
  return JSON.parse(JSON.stringify(await seed())) as Seed
}

const formOf = (seed: Seed): SeedForm => seed.workspaces[0]?.forms?.[0] as SeedForm

const NAME = 'Grace Murray Hopper'
const URL = 'https://hooks.example.net/token-of-grace'
const choice = (ids: string[], other: string | null, text: string) =>
  answer('c', 'multiple_choice', { ids, other }, text)

const survey = (responses: FormResponse[]): PullClient => ({
  ...clientOf(responses),
  webhooks: {
    async *list() {
      yield { id: 1, url: URL, active: true, created_at: '2026-11-01T10:00:00Z' } as never
    },
  },
})

describe('leaks', () => {
  const client = survey([response(1, [answer('name', 'short_text', NAME), choice(['a'], null, 'Breakfast')])])

  it('finds none in a scrubbed seed', async () => {
    expect(await checkSeed(await pulled(client), client)).toMatchObject({ leaks: [], drift: [] })
  })

  it.each<[string, (seed: Seed) => void]>([
    ['the title of a question', (seed) => Object.assign(formOf(seed).questions?.[0] ?? {}, { title: NAME })],
    ['a label', (seed) => Object.assign(formOf(seed).questions?.[1]?.options?.[0] ?? {}, { label: NAME })],
    ['the intro', (seed) => Object.assign(formOf(seed), { intro: `Asked by ${NAME}.` })],
    ['technical meta', (seed) => Object.assign(formOf(seed).responses?.[0]?.meta ?? {}, { device: NAME })],
    ['a name of meta', (seed) => Object.assign(formOf(seed).responses?.[0]?.meta ?? {}, { [NAME]: 1 })],
    ['the name of a user', (seed) => Object.assign(seed.users[0] ?? {}, { name: NAME })],
    ['the name of a workspace', (seed) => Object.assign(seed.workspaces[0] ?? {}, { name: NAME })],
    ['the title of an answer', (seed) => recorded(seed, { title: NAME })],
    ['the text of a kept answer', (seed) => recorded(seed, { text: NAME })],
  ])('finds an original text in %s', async (_, leak) => {
    const seed = await pulled(client)
    leak(seed)
    const { leaks } = await checkSeed(seed, client)
    expect(leaks).toEqual([{ form: FORM, response: 1, question: 'name' }])
  })

  it('finds the name and the email address of the user, and URLs of endpoints', async () => {
    const seed = await pulled(client)
    Object.assign(formOf(seed), { intro: 'Ada Byron, ada@example.com', webhooks: [{ url: URL }] })
    const { leaks } = await checkSeed(seed, client)
    expect(leaks).toEqual([
      { form: null, response: null, question: 'user.name' },
      { form: null, response: null, question: 'user.email' },
      { form: FORM, response: null, question: 'webhook.url' },
    ])
  })

  it('passes texts that the service shows as a label, a title or technical meta, and words of the format', async () => {
    const texts = ['Breakfast', 'Survey of guests', 'Explorer 6', 'short_text', 'responses', 'business']
    const shown = clientOf(
      [
        response(9, [choice(['a', 'b'], 'by the sea', 'Breakfast, Dinner, by the sea')]),
        response(8, [choice(['a'], 'with a view', 'Breakfast, with a view')], {
          meta: { browser: 'Explorer 6' },
        }),
        ...texts.map((text, index) => response(index + 1, [answer('name', 'short_text', text)])),
      ],
      { title: 'Survey of guests' },
    )
    expect((await checkSeed(await pulled(shown), shown)).leaks).toEqual([])
  })
})

const recorded = (seed: Seed, more: object): void => {
  const [kept] = formOf(seed).responses?.[0]?.answers.filter(({ question_id: id }) => id === 'c') ?? []
  Object.assign(kept ?? {}, { text: 'Breakfast', ...more })
}

describe('drift', () => {
  it('reports renamed labels and titles of questions', async () => {
    const seed = await pulled(survey([response(1, [choice(['a'], null, 'Breakfast')])]))
    const now = survey([
      response(2, [{ ...choice(['a'], null, 'Morning meal'), title: 'Which meal?' }]),
      response(1, [choice(['a'], null, 'Breakfast')]),
    ])
    expect((await checkSeed(seed, now)).drift).toEqual([
      { form: FORM, question: 'c', kind: 'question_changed', what: 'title' },
      { form: FORM, question: 'c', kind: 'question_changed', what: 'a' },
    ])
  })
})

it('counts submitted responses only', async () => {
  const seed = await pulled(clientOf([response(1, [])]))
  formOf(seed).responses?.push({ id: 2, status: 'in_progress', answers: [] })
  expect(await checkSeed(seed)).toMatchObject({ forms: 1, responses: 1 })
})
