import type { Form, FormResponse } from '@formwire/contract'
import { walk } from '../../../sdk/src/polling/walk.ts'
import { type PullClient, type Pulled, type PullOptions, pullWorkspace } from '../../src/pull/index.ts'
import type { Seed, SeedForm } from '../../src/seed/format.ts'

export const FORM = 'survey000001'
const AT = '2026-11-01T10:00:00Z'

export const response = (id: number, answers: unknown[], more: object = {}): FormResponse =>
  ({
    id,
    form_id: FORM,
    status: 'submitted',
    started_at: AT,
    submitted_at: AT,
    duration_sec: 0,
    email: null,
    score: null,
    max_score: null,
    answers,
    meta: {},
    ...more,
  }) as FormResponse

/** A client of a service with one form, whose responses are these. */
export const clientOf = (responses: FormResponse[], form: object = {}): PullClient => {
  const facts = {
    id: FORM,
    title: 'Survey',
    status: 'published',
    slug: 'survey',
    response_count: responses.length,
    response_limit: null,
    opens_at: null,
    closes_at: null,
    created_at: AT,
    updated_at: AT,
    ...form,
  } as Form
  return {
    me: async () => ({
      user: { id: 1, name: 'Ada Byron', email: 'ada@example.com' },
      workspace: { id: 1, name: 'Analytical', role: 'viewer' },
      key: { id: 1, name: 'key', prefix: 'svc_', scope: 'read' },
    }),
    forms: { list: () => listOf([facts]), get: async () => facts },
    responses: walking(() => responses),
    webhooks: { list: () => listOf([]) },
  }
}

/** The client of a service whose forms have these endpoints. */
export const withEndpoints = (client: PullClient, ...endpoints: unknown[]): PullClient => ({
  ...client,
  webhooks: { list: () => listOf(endpoints as never[]) },
})

/** Pulls a service. Nothing is scrubbed unless the options say so. */
export const pull = (client: PullClient, options: Partial<PullOptions> = {}): Promise<Pulled> =>
  pullWorkspace(client, { baseUrl: 'https://forms.example.com', scrub: false, ...options })

/** Returns the seed of a pull. */
export const pulled = async (client: PullClient, options: Partial<PullOptions> = {}): Promise<Seed> =>
  await (await pull(client, options)).seed()

/** The only form of a seed. */
export const formOf = ({ workspaces: [workspace] }: Seed): SeedForm => workspace?.forms?.[0] as SeedForm

/** The responses of a client that lists these, in pages of 100. */
export const walking = (
  rows: (status: 'submitted' | 'in_progress') => readonly FormResponse[],
): PullClient['responses'] => ({
  walk(formId, options) {
    const list = async ({ query }: { query: { status?: 'in_progress'; page: number; per_page: number } }) => {
      const { status = 'submitted', page, per_page } = query
      const all = rows(status)
      const data = all.slice((page - 1) * per_page, page * per_page)
      return { data, meta: { page, per_page, total: all.length } }
    }
    return walk({ list } as never, formId, options)
  },
})

async function* listOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

export const answer = (question_id: string, type: string, value: unknown, text = String(value)) => ({
  question_id,
  title: 'Title',
  type,
  value,
  text,
})
