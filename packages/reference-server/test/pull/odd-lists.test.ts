import type { Form, FormResponse } from '@formwire/contract'
import { Formwire } from '@formwire/sdk'
import { describe, expect, it } from 'vitest'
import { type PullClient, PullError, pullWorkspace } from '../../src/pull/index.ts'
import type { Seed } from '../../src/seed/format.ts'
import { clientOf, FORM, response } from './service.ts'
import { serverOf } from './workspace.ts'

const SOURCE = { baseUrl: 'https://forms.example.com', scrub: false } as const

/** A client of a service with several forms, by id, of which each response has one second on its own unless it says otherwise. */
const clientOfForms = (lists: Record<string, FormResponse[]>): PullClient => {
  const clients = new Map(Object.entries(lists).map(([id, rows]) => [id, clientOf(rows, { id, slug: id })]))
  const of = (id: string): PullClient => clients.get(id) as PullClient
  return {
    ...of(Object.keys(lists)[0] ?? ''),
    forms: {
      async *list() {
        for (const [id, client] of clients) yield (await client.forms.get(id)) as Form
      },
      get: (id) => of(id).forms.get(id),
    },
    responses: { list: (id, ...rest) => of(id).responses.list(id, ...rest) },
  }
}

const at = (id: number, second: number, more: object = {}): FormResponse =>
  response(id, [], { submitted_at: `2026-11-01T10:00:${String(second).padStart(2, '0')}Z`, ...more })

const errorOf = async (client: PullClient, options: object = {}): Promise<PullError> => {
  const error: unknown = await pullWorkspace(client, { ...SOURCE, ...options }).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(PullError)
  return error as PullError
}

describe('ids', () => {
  it('refuses a response id that two forms have, and names both', async () => {
    const client = clientOfForms({ survey000001: [at(7, 2), at(5, 1)], survey000002: [at(6, 2), at(5, 1)] })
    expect(await errorOf(client)).toMatchObject({
      code: 'invalid_response',
      message:
        'forms survey000001 and survey000002 both have a response 5: ids must be unique; pull one form only',
    })
    await expect(pullWorkspace(client, { ...SOURCE, forms: ['survey000002'] })).resolves.toBeDefined()
  })

  it('refuses a response that a list has twice', async () => {
    expect(await errorOf(clientOf([at(7, 2), at(6, 2), at(7, 1)]))).toMatchObject({
      code: 'invalid_response',
      message: 'form survey000001 lists response 7 twice',
    })
  })
})

describe('order', () => {
  it.each([
    ['oldest first', [at(1, 1), at(2, 2), at(3, 3)], 2],
    ['in no order', [at(3, 3), at(1, 1), at(2, 2)], 2],
  ])('refuses a list that is %s', async (_, rows, id) => {
    expect(await errorOf(clientOf(rows))).toMatchObject({
      code: 'invalid_response',
      message: `form ${FORM} does not list its responses newest first: response ${id} is newer than one before it`,
    })
  })

  const page = (from: number, second: number): FormResponse[] =>
    Array.from({ length: 100 }, (_, index) => at(from - index, second))

  /** A list whose first page is in order. */
  const later = (row: FormResponse): PullClient => {
    const rows = [...page(400, 30), ...page(300, 20), row]
    const client = clientOf(rows)
    return {
      ...client,
      responses: {
        list: (...query) =>
          Object.assign(
            Promise.resolve({ data: rows.slice(0, 100), meta: { page: 1, per_page: 100, total: 201 } }),
            { [Symbol.asyncIterator]: () => client.responses.list(...query)[Symbol.asyncIterator]() },
          ),
      },
    }
  }

  it.each([
    ['between those before it', 25],
    ['newer than all', 40],
  ])('refuses a list with a response on a later page that is %s', async (_, second) => {
    expect(await errorOf(later(at(1, second)))).toMatchObject({
      code: 'invalid_response',
      message: `form ${FORM} does not list its responses newest first: response 1 is newer than one before it`,
    })
  })

  it('[POLL-02] leaves out responses that arrive while it reads a list that shrinks', async () => {
    const responses = Array.from({ length: 350 }, (_, index) => ({
      id: index + 1,
      submitted_at: new Date(Date.UTC(2026, 10, 1) + index * 1000).toISOString(),
      answers: [],
    }))
    const seed: Seed = {
      version: 2,
      users: [{ name: 'Ada Byron', email: 'ada@example.com' }],
      workspaces: [
        {
          name: 'Analytical',
          members: [{ user: 'ada@example.com', role: 'owner' }],
          forms: [{ id: FORM, title: 'Survey', responses }],
        },
      ],
    }
    await using origin = await serverOf(seed)
    let requests = 0
    const client = new Formwire({
      apiKey: origin.readKey,
      rateLimit: false,
      fetch: async (...request) => {
        requests += 1
        if (requests === 4) {
          for (let id = 101; id <= 240; id += 1) origin.app.responses.delete(FORM, id)
          origin.app.responses.create(FORM, { answers: [] })
        }
        return await origin.fetch(...(request as unknown as [string]))
      },
    })
    const pulled = await (await pullWorkspace(client, { ...SOURCE, forms: [FORM] })).seed()
    const ids = pulled.workspaces[0]?.forms?.[0]?.responses?.map(({ id }) => id) ?? []
    expect(ids).not.toContain(351)
    expect(ids).toEqual(expect.arrayContaining([1, 100, 241, 350]))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

it('limits submitted responses and drafts each on their own', async () => {
  const submitted = [at(9, 9), at(8, 8), at(7, 7)]
  const drafts = [6, 5, 4].map((id) => at(id, id, { status: 'in_progress' }))
  const both = { submitted: clientOf(submitted), in_progress: clientOf(drafts) }
  const client: PullClient = {
    ...both.submitted,
    responses: {
      list: (id, query, call) =>
        both[query?.status === 'in_progress' ? 'in_progress' : 'submitted'].responses.list(id, query, call),
    },
  }
  const pulled = await (await pullWorkspace(client, { ...SOURCE, drafts: true, limit: 2 })).seed()
  expect(pulled.workspaces[0]?.forms?.[0]?.responses?.map(({ id }) => id)).toEqual([5, 6, 8, 9])
})
