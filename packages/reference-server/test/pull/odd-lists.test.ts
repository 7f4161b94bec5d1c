import type { Form, FormResponse } from '@formwire/contract'
import type { Formwire } from '@formwire/sdk'
import { describe, expect, it } from 'vitest'
import type { ReferenceServer } from '../../src/index.ts'
import type { PullClient } from '../../src/pull/index.ts'
import type { Seed, SeedForm } from '../../src/seed/format.ts'
import { clientOf, FORM, formOf, pull, pulled, response, walking, withEndpoints } from './service.ts'
import { responsesOf, sdkOf, serverOf } from './workspace.ts'

const seedOf = (forms: SeedForm[]): Seed => ({
  version: 2,
  users: [{ name: 'Ada Byron', email: 'ada@example.com' }],
  workspaces: [{ name: 'Analytical', members: [{ user: 'ada@example.com', role: 'owner' }], forms }],
})

/** A client of a service with several forms, by id, of which each response has one second on its own unless it says otherwise. */
const clientOfForms = (lists: Record<string, FormResponse[]>, slug?: string): PullClient => {
  const clients = new Map(
    Object.entries(lists).map(([id, rows]) => [id, clientOf(rows, { id, slug: slug ?? id })]),
  )
  const of = (id: string): PullClient => clients.get(id) as PullClient
  return {
    ...of(Object.keys(lists)[0] ?? ''),
    forms: {
      async *list() {
        for (const [id, client] of clients) yield (await client.forms.get(id)) as Form
      },
      get: (id) => of(id).forms.get(id),
    },
    responses: { walk: (id, query) => of(id).responses.walk(id, query) },
  }
}

const at = (id: number, second: number, more: object = {}): FormResponse =>
  response(id, [], { submitted_at: `2026-11-01T10:00:${String(second).padStart(2, '0')}Z`, ...more })

describe('ids', () => {
  it('refuses a response id that two forms have, and names both', async () => {
    const client = clientOfForms({ survey000001: [at(7, 2), at(5, 1)], survey000002: [at(6, 2), at(5, 1)] })
    await expect(pull(client)).rejects.toMatchObject({
      name: 'PullError',
      code: 'invalid_response',
      message:
        'forms survey000001 and survey000002 both have a response 5: ids must be unique; pull one form only',
    })
    await expect(pull(client, { forms: ['survey000002'] })).resolves.toBeDefined()
  })

  it('loads a pull of forms that share a slug and endpoint ids, which only the first form keeps', async () => {
    const shared = { survey000001: [], survey000002: [] }
    const client = withEndpoints(clientOfForms(shared, 'shared'), {
      id: 4,
      url: 'https://hooks.example.com/a',
      active: true,
    })
    const { report, seed } = await pull(client, { endpoints: true })
    const made = await seed()
    await using _ = await serverOf(made)
    const forms = made.workspaces[0]?.forms ?? []
    expect(forms.map(({ id, slug, webhooks }) => [id, slug, webhooks?.length])).toEqual([
      ['survey000002', undefined, undefined],
      ['survey000001', 'shared', 1],
    ])
    expect(report.forms.map(({ unknown }) => unknown)).toEqual([
      [],
      ['slug', 'webhooks'].map((id) => ({ id, why: 'changed', values: 1 })),
    ])
  })

  it('refuses a response that a list has twice', async () => {
    await expect(pull(clientOf([at(7, 2), at(6, 2), at(7, 1)]))).rejects.toMatchObject({
      name: 'PullError',
      code: 'invalid_response',
      message: 'form survey000001 lists response 7 twice',
    })
  })
})

describe('order', () => {
  const page = (from: number, second: number): FormResponse[] =>
    Array.from({ length: 100 }, (_, index) => at(from - index, second))
  const late = (row: FormResponse): FormResponse[] => [
    at(401, 31),
    ...page(400, 30).slice(1),
    ...page(300, 20),
    row,
  ]

  it.each([
    ['oldest first', [at(1, 1), at(2, 2), at(3, 3)], 'response 2 is newer than the one before it'],
    ['in no order', [at(3, 3), at(1, 1), at(2, 2)], 'response 2 is newer than the one before it'],
    ['late between others', late(at(1, 25)), '1 more on later pages'],
    ['late and newest', late(at(1, 40)), '1 more on later pages'],
  ])('[RESP-01] refuses a list that is %s', async (_, rows, why) => {
    await expect(pull(clientOf(rows))).rejects.toMatchObject({
      name: 'PaginationError',
      message: `/forms/${FORM}/responses is not newest first: ${why}.`,
    })
  })

  it('[POLL-02] leaves out responses that arrive while it reads a list that shrinks', async () => {
    const responses = Array.from({ length: 350 }, (_, index) => ({
      id: index + 1,
      submitted_at: new Date(Date.UTC(2026, 10, 1) + index * 1000).toISOString(),
      answers: [],
    }))
    await using origin = await serverOf(seedOf([{ id: FORM, title: 'Survey', responses }]))
    let requests = 0
    const client = sdkOf(origin, () => {
      requests += 1
      if (requests !== 4) return
      for (let id = 101; id <= 240; id += 1) origin.app.responses.delete(FORM, id)
      origin.app.responses.create(FORM, { answers: [] })
    })
    const ids = formOf(await pulled(client, { forms: [FORM] })).responses?.map(({ id }) => id) ?? []
    expect(ids).not.toContain(351)
    expect(ids).toEqual(expect.arrayContaining([1, 100, 241, 350]))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('lists that move', () => {
  /** A client that calls `change` before the first request of a second page. */
  const changing = (origin: ReferenceServer, path: string, change: () => Promise<unknown>): Formwire => {
    let isChanged = false
    return sdkOf(origin, async (url) => {
      if (isChanged || !url.includes(path) || !url.includes('page=2')) return
      isChanged = true
      await change()
    })
  }

  it('[FORM-01] has 200 forms of which the last is renamed while they are listed, in their order', async () => {
    const id = (number: number): string => `form${String(number).padStart(8, '0')}`
    const forms = Array.from({ length: 200 }, (_, at) => ({
      id: id(at),
      title: `Form ${at}`,
      updated_at: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
    }))
    await using origin = await serverOf(seedOf(forms))
    const client = changing(origin, '/forms?', async () =>
      origin.app.forms.update(id(0), { title: 'Renamed' }),
    )
    const seed = await pulled(client)
    const titles = seed.workspaces[0]?.forms?.map(({ title }) => title)
    expect(titles).toEqual([...forms.slice(1).map(({ title }) => title), 'Renamed'])
  })

  it('[RESP-02] has 150 drafts of which the last is saved again while they are listed, in their order', async () => {
    const questions = [{ id: 'name', type: 'short_text' as const, title: 'Name' }]
    await using origin = await serverOf(seedOf([{ id: FORM, slug: 'survey', title: 'Survey', questions }]))
    const save = async (path: string, name: string): Promise<string> => {
      await origin.clock.advance('1s')
      const saved = await origin.fetch(`http://formwire.test/f/survey/drafts${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ answers: [{ question_id: 'name', value: name }] }),
      })
      return ((await saved.json()) as { data: { token: string } }).data.token
    }
    const first = await save('', 'First')
    for (let number = 1; number < 150; number += 1) await save('', `Draft ${number}`)
    const client = changing(origin, 'in_progress', () => save(`/${first}`, 'Saved again'))
    const seed = await pulled(client, { drafts: true })
    await using copy = await serverOf(seed)
    const [original, copied] = await Promise.all(
      [origin, copy].map((server) => responsesOf(server, FORM, 'in_progress')),
    )
    expect(copied).toHaveLength(150)
    expect(copied?.map(({ id }) => id)).toEqual(original?.map(({ id }) => id))
    expect(copied?.[0]?.answers[0]?.value).toBe('Saved again')
  })
})

it('reads responses and drafts that are too long for a page of 100 in smaller ones', async () => {
  const answers = [{ question_id: 'why', value: 'Because. '.repeat(300) }]
  const responses = Array.from({ length: 120 }, (_, at) => ({
    id: at + 1,
    submitted_at: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
    status: at % 3 === 0 ? ('in_progress' as const) : ('submitted' as const),
    answers,
  }))
  const questions = [{ id: 'why', type: 'long_text' as const, title: 'Why?' }]
  await using origin = await serverOf(seedOf([{ id: FORM, title: 'Survey', questions, responses }]))
  // As many as 10 of them.
  const client = sdkOf(origin, undefined, { maxResponseBytes: 60_000 })
  const ids = formOf(await pulled(client, { drafts: true })).responses?.map(({ id = 0 }) => id) ?? []
  expect(ids.toSorted((one, other) => one - other)).toEqual(responses.map(({ id }) => id))
})

it('limits submitted responses and drafts each on their own', async () => {
  const submitted = [at(9, 9), at(8, 8), at(7, 7)]
  const drafts = [6, 5, 4].map((id) => at(id, id, { status: 'in_progress' }))
  const client: PullClient = {
    ...clientOf(submitted),
    responses: walking((status) => (status === 'submitted' ? submitted : drafts)),
  }
  const { responses } = formOf(await pulled(client, { drafts: true, limit: 2 }))
  expect(responses?.map(({ id }) => id)).toEqual([5, 6, 8, 9])
})
