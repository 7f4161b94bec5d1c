import type { Form, FormResponse } from '@formwire/contract'
import type { PullClient } from '../../src/pull/index.ts'

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
  const page = { data: responses, meta: { page: 1, per_page: 100, total: responses.length } }
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
    responses: {
      list: () => Object.assign(Promise.resolve(page), { [Symbol.asyncIterator]: () => listOf(responses) }),
    },
    webhooks: { list: () => listOf([]) },
  }
}

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
