import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import createClient from 'openapi-fetch'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import { createSeedFactory, everyQuestion, type FormwireKit, startFormwire } from '../../src/testing/index.ts'
import type { components, paths } from './generated/openapi.ts'
import { isAnswerOf } from './is-answer-of.ts'

const documentUrl = new URL('../../../contract/openapi.json', import.meta.url)
const generatedUrl = new URL('./generated/openapi.ts', import.meta.url)

const make = await createSeedFactory(5)
const FORM = 'generated001'
const SEED = make.seed(make.form({ id: FORM, questions: everyQuestion(), responses: 30, drafts: 1 }))

let kit: FormwireKit | undefined
afterEach(async () => kit?.close())

async function client() {
  kit = await startFormwire({ seed: SEED })
  const { apiKey, baseUrl, fetch } = kit.clientOptions
  return createClient<paths>({
    baseUrl: `${baseUrl}/api/v1`,
    headers: { authorization: `Bearer ${apiKey}` },
    fetch: (request) => fetch(request),
  })
}

describe('a client generated from openapi.json', () => {
  it('is up to date; after a change, run packages/reference-server/scripts/generate-client.ts', async () => {
    const generated = astToString(await openapiTS(documentUrl))
    expect(readFileSync(generatedUrl, 'utf8')).toContain(generated)
  })

  it('sends requests to the reference server', async () => {
    const api = await client()
    const me = await api.GET('/me')
    expect(me.data?.data.key.scope).toBe('write')

    const list = await api.GET('/forms', { params: { query: { status: 'published', per_page: 10 } } })
    expect(list.data?.meta).toMatchObject({ page: 1, per_page: 10, total: 1 })
    const form = await api.GET('/forms/{id}', { params: { path: { id: FORM } } })
    expect(form.data?.data.response_count).toBe(30)

    const responses = await api.GET('/forms/{id}/responses', {
      params: { path: { id: FORM }, query: { per_page: 3 } },
    })
    const [first] = responses.data?.data ?? []
    const email = first?.answers.find((answer) => isAnswerOf(answer, 'email'))
    if (!email || !isAnswerOf(email, 'email')) throw new Error('no answer of this type')
    expectTypeOf(email.value).toEqualTypeOf<string>()
    expect(email.value).toMatch(/@example\.com$/)
    const path = { id: FORM, response_id: first?.id ?? 0 }
    expect((await api.GET('/forms/{id}/responses/{response_id}', { params: { path } })).data?.data).toEqual(
      first,
    )
    expect(
      (await api.DELETE('/forms/{id}/responses/{response_id}', { params: { path } })).data?.data.deleted,
    ).toBe(true)

    const renamed = await api.PATCH('/forms/{id}', {
      params: { path: { id: FORM } },
      body: { title: 'Renamed', status: 'closed' },
    })
    expect(renamed.data?.data).toMatchObject({ title: 'Renamed', status: 'closed', response_count: 29 })

    const created = await api.POST('/forms/{id}/webhooks', {
      params: { path: { id: FORM } },
      body: { url: kit?.receiver.url ?? '' },
    })
    expect(created.data?.data.secret).toMatch(/^whsec_/)
    const hook = { id: FORM, webhook_id: created.data?.data.id ?? 0 }
    expect(
      (await api.GET('/forms/{id}/webhooks', { params: { path: { id: FORM } } })).data?.data,
    ).toHaveLength(1)
    expect(
      (await api.DELETE('/forms/{id}/webhooks/{webhook_id}', { params: { path: hook } })).response.ok,
    ).toBe(true)
  })

  it('[ENV-04] narrows answers with the guard of the tutorial, and keeps those of types that were added later', () => {
    const tutorial = readFileSync(
      new URL('../../../../docs/tutorials/generate-a-client.md', import.meta.url),
      'utf8',
    )
    const guard = readFileSync(new URL('is-answer-of.ts', import.meta.url), 'utf8')
    expect(tutorial).toContain(guard.replace('./generated/openapi.ts', './formwire.d.ts'))
    const describeAnswer = (answer: components['schemas']['Answer']): string => {
      if (isAnswerOf(answer, 'rating')) return answer.value.toFixed(1)
      if (isAnswerOf(answer, 'single_choice')) return answer.value.ids.join()
      return answer.text
    }
    const fields = { question_id: 'q', title: 'Q', text: 'as text' }
    expect(describeAnswer({ ...fields, type: 'rating', value: 4 })).toBe('4.0')
    expect(describeAnswer({ ...fields, type: 'single_choice', value: { ids: ['a'], other: null } })).toBe('a')
    expect(describeAnswer({ ...fields, type: 'hologram', value: { depth: 3 } })).toBe('as text')
  })

  it('[ENV-03] returns the documented error with its type', async () => {
    const api = await client()
    const missing = await api.GET('/forms/{id}', { params: { path: { id: 'nosuchform01' } } })
    expect(missing.error?.error.code).toBe('not_found')
    const invalid = await api.GET('/forms', { params: { query: { per_page: 0 } } })
    expect(invalid.response.status).toBe(422)
    expect(invalid.error?.error.details?.field).toBe('per_page')
  })

  it('is generated from the document that the server returns', async () => {
    await client()
    const served = await kit?.clientOptions.fetch('http://formwire.test/openapi.json')
    expect(await served?.json()).toEqual(createRequire(import.meta.url)(documentUrl.pathname))
  })
})
