import type { FormResponse } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { LeakSearch } from '../../src/pull/check/leak-search.ts'
import { checkSeed, type PullClient, type PullOptions } from '../../src/pull/index.ts'
import type { PulledAnswer } from '../../src/pull/lines.ts'
import type { Seed } from '../../src/seed/format.ts'
import {
  answer,
  clientOf,
  FORM,
  formOf,
  pulled as pull,
  response,
  walking,
  withEndpoints,
} from './service.ts'

const pulled = async (client: PullClient, options: Partial<PullOptions> = {}): Promise<Seed> =>
  JSON.parse(JSON.stringify(await pull(client, { scrub: 'normal', ...options }))) as Seed

const NAME = 'Grace Murray Hopper'
const URL = 'https://hooks.example.net/token-of-grace'
const choice = (ids: string[], other: string | null, text: string) =>
  answer('c', 'multiple_choice', { ids, other }, text)

const survey = (responses: FormResponse[]): PullClient =>
  withEndpoints(clientOf(responses), { id: 1, url: URL, active: true, created_at: '2026-11-01T10:00:00Z' })

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

  it('finds the names of workspace and user, the email address of the user, and URLs of endpoints', async () => {
    const seed = await pulled(client)
    Object.assign(formOf(seed), { intro: 'Ada Byron, Analytical, ada@example.com', webhooks: [{ url: URL }] })
    const { leaks } = await checkSeed(seed, client)
    expect(leaks).toEqual([
      { form: null, response: null, question: 'user.name' },
      { form: null, response: null, question: 'user.email' },
      { form: null, response: null, question: 'workspace.name' },
      { form: FORM, response: null, question: 'webhook.url' },
    ])
  })

  it('finds long texts of technical meta', async () => {
    const browser = 'Explorer on the machine of Grace Murray Hopper'
    const odd = clientOf([response(1, [], { meta: { browser } })])
    const seed = await pulled(odd)
    expect((await checkSeed(seed, odd)).leaks).toEqual([])
    Object.assign(formOf(seed).responses?.[0]?.meta ?? {}, { browser })
    expect((await checkSeed(seed, odd)).leaks).toEqual([
      { form: FORM, response: 1, question: 'meta.browser' },
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

  it('passes a label that is shown after any number of short texts', () => {
    const search = leakSearch('Newsletter')
    for (let id = 1; id <= 1_000_001; id += 1) search.row(FORM, { id, answers: [labelled(`${id}`)] })
    search.row(FORM, {
      id: 2_000_000,
      answers: [labelled('Newsletter'), answer('name', 'short_text', 'newsletter') as PulledAnswer],
    })
    expect(search.leaks()).toEqual([])
  })

  it('passes the email address of a response that repeats a kept answer', async () => {
    const address = 'grace.hopper@example.net'
    const client = survey([response(1, [answer('mail', 'email', address)], { email: address })])
    const seed = await pulled(client, { keep: [`${FORM}.mail`] })
    expect(JSON.stringify(seed)).toContain(address)
    expect((await checkSeed(seed, client)).leaks).toEqual([])
  })
})

/** A search of a seed with a label. */
const leakSearch = (label: string): LeakSearch => {
  const questions = [{ id: 'c', type: 'single_choice' as const, title: 'F', options: [{ id: 'o0', label }] }]
  const forms = [{ title: 'F', questions }]
  return new LeakSearch({ version: 2, users: [], workspaces: [{ name: 'W', members: [], forms }] })
}

const labelled = (label: string) => choice(['a'], null, label) as PulledAnswer

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

it('takes no 404 of a proxy for a missing form', async () => {
  const now = survey([response(1, [])])
  const seed = await pulled(now, { forms: [FORM] })
  const gone = (envelope: boolean): PullClient => ({
    ...now,
    forms: { ...now.forms, get: () => Promise.reject(Object.assign(new Error(), { status: 404, envelope })) },
  })
  await expect(checkSeed(seed, gone(false))).rejects.toMatchObject({ status: 404 })
  expect((await checkSeed(seed, gone(true))).drift).toMatchObject([{ form: FORM, kind: 'form_missing' }])
})

it('reports forms that are new since all forms were pulled', async () => {
  const now = survey([response(1, [])])
  const [one] = [await now.forms.get(FORM)]
  const grown: PullClient = {
    ...now,
    forms: {
      ...now.forms,
      async *list() {
        yield { ...one, id: 'survey000002' }
        yield one
      },
    },
  }
  expect((await checkSeed(await pulled(now), grown)).drift).toEqual([
    { form: 'survey000002', question: null, kind: 'new_form', what: null },
  ])
  expect((await checkSeed(await pulled(now, { forms: [FORM] }), grown)).drift).toEqual([])
})

describe('coverage', () => {
  const rows = (newest: number, status = 'submitted'): FormResponse[] =>
    Array.from({ length: newest }, (_, index) => {
      const id = newest - index
      const at = new Date(Date.UTC(2026, 0, 1) + id * 60_000).toISOString()
      return response(id, [answer('name', 'short_text', `Person number ${id}`)], {
        submitted_at: at,
        started_at: at,
        status,
      })
    })
  const DAY = 86_400_000
  const since = new Date(Date.UTC(2026, 0, 1) + 1_900 * 60_000).toISOString()

  it.each<[string, Partial<PullOptions>, number, number]>([
    ['whole seed', {}, 2_050, 100],
    ['seed with a limit', { limit: 250 }, 300, 100],
    ['seed with a limit and times that were moved', { limit: 250, shiftMs: DAY }, 300, 100],
    ['seed since a time, with times that were moved', { since, shiftMs: DAY }, 200, 150],
  ])('reads as much as it has to for a %s', async (_, options, least, more) => {
    const before = rows(2_000).filter(({ submitted_at: at }) => !options.since || String(at) >= since)
    const seed = await pulled(clientOf(before), options)
    const { covered, leaks, drift } = await checkSeed(seed, clientOf(rows(2_050)))
    expect({ leaks, drift }).toEqual({ leaks: [], drift: [] })
    expect([covered >= least - 50, covered <= least + more], `${covered}`).toEqual([true, true])
  })

  it('stops at the time of the oldest response when some of the seed were deleted', async () => {
    const seed = await pulled(clientOf(rows(2_000)), { limit: 250 })
    const left = clientOf(rows(2_050).filter(({ id }) => id !== 1_900))
    expect((await checkSeed(seed, left)).covered).toBe(300)
  })

  it.each<[string, Partial<PullOptions>, string]>([
    ['responses', { limit: 2 }, 'submitted'],
    ['responses whose times were moved', { limit: 2, shiftMs: DAY }, 'submitted'],
    ['drafts', { limit: 2, drafts: true }, 'in_progress'],
  ])(
    'finds no drift right after a pull of some %s, of which the newest has the smallest id',
    async (_, options, status) => {
      const at = (minute: number) => new Date(Date.UTC(2026, 0, 2, 0, minute)).toISOString()
      const name = [answer('name', 'short_text', 'Ada')]
      // Started first, submitted or saved last.
      const list = [
        response(1, name, { started_at: at(0), submitted_at: at(50), status }),
        ...[9, 8, 7].map((id) =>
          response(id, id === 9 ? name : [choice(['a'], null, 'A')], {
            started_at: at(id),
            // The page has one more of the same millisecond, and an older one.
            submitted_at: at(id === 7 ? 30 : 40),
            status,
          }),
        ),
      ]
      const client: PullClient = {
        ...clientOf([]),
        responses: walking((listed) => (listed === status ? list : [])),
      }
      const seed = await pulled(client, options)
      expect(formOf(seed).responses?.map(({ id }) => id)).toEqual([9, 1])
      expect((await checkSeed(seed, client)).drift).toEqual([])
    },
  )

  it.each([0, 3])(
    'finds new questions of a form that had %i responses, fewer than the limit',
    async (count) => {
      const seed = await pulled(clientOf(rows(count)), { limit: 10 })
      const newer = rows(250)
        .slice(0, 250 - count)
        .map((row) => ({ ...row, answers: [choice(['a'], null, 'A')] }))
      const now = clientOf([...(newer as FormResponse[]), ...rows(count)])
      const { drift, covered } = await checkSeed(seed, now)
      expect(drift).toEqual([{ form: FORM, question: 'c', kind: 'new_question', what: 'multiple_choice' }])
      expect(covered).toBe(250)
    },
  )

  it('finds originals of responses that are not the newest any more', async () => {
    const seed = await pulled(clientOf(rows(500)), { limit: 100, scrub: false })
    const { leaks } = await checkSeed(seed, clientOf(rows(900)))
    const pulledIds = rows(500).map(({ id }) => id)
    const found = leaks.flatMap(({ response: id }) => id ?? [])
    expect(new Set(found)).toEqual(new Set(pulledIds.slice(0, 100)))
  })

  it('reads drafts until it has seen those of the seed', async () => {
    const drafts = (newest: number): PullClient => ({
      ...clientOf([]),
      responses: walking((status) => (status === 'submitted' ? [] : rows(newest, 'in_progress'))),
    })
    const seed = await pulled(drafts(500), { limit: 100, drafts: true, scrub: false })
    const { leaks } = await checkSeed(seed, drafts(900))
    expect(leaks.filter(({ response: id }) => id !== null)).toHaveLength(100)
  })
})

it('moves the times of the source with all others, and says so', async () => {
  const options = { since: '2026-01-01', shiftMs: 36 * 3_600_000, now: () => Date.UTC(2026, 1, 1) }
  const { source } = await pulled(clientOf([response(1, [])]), options)
  expect(source).toEqual({
    base_url: 'https://forms.example.com',
    pulled_at: '2026-02-02T12:00:00.000Z',
    shifted: true,
    all: true,
    scrubbed: 'normal',
    since: '2026-01-02T12:00:00.000Z',
  })
})

it('counts submitted responses only', async () => {
  const seed = await pulled(clientOf([response(1, [])]))
  formOf(seed).responses?.push({ id: 2, status: 'in_progress', answers: [] })
  expect(await checkSeed(seed)).toMatchObject({ forms: 1, responses: 1 })
})
