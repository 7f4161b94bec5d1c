import { readFileSync } from 'node:fs'
import createClient from 'openapi-fetch'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSeedFactory, everyQuestion, startFormwire } from '../../src/testing/index.ts'

const make = await createSeedFactory(5)
const FORM = 'generated001'
const SEED = make.seed(make.form({ id: FORM, questions: everyQuestion(), responses: 30, drafts: 1 }))

describe('a client generated from openapi.json', () => {
  it('[ENV-03] sends requests to the reference server, and gets the documented error', async () => {
    const kit = await startFormwire({ seed: SEED })
    onTestFinished(() => kit.close())
    const { apiKey, baseUrl, fetch } = kit.clientOptions
    // biome-ignore lint/suspicious/noExplicitAny: the types are compiled with those of openapi.json in test/docs
    const api = createClient<any>({
      baseUrl: `${baseUrl}/api/v1`,
      headers: { authorization: `Bearer ${apiKey}` },
      fetch: (request) => fetch(request),
    })
    const list = await api.GET('/forms', { params: { query: { status: 'published', per_page: 10 } } })
    expect(list.data.meta).toMatchObject({ page: 1, per_page: 10, total: 1 })
    const responses = await api.GET('/forms/{id}/responses', { params: { path: { id: FORM } } })
    const path = { id: FORM, response_id: responses.data.data[0].id }
    const deleted = await api.DELETE('/forms/{id}/responses/{response_id}', { params: { path } })
    expect(deleted.data.data.deleted).toBe(true)
    const body = { title: 'Renamed', status: 'closed' }
    const renamed = await api.PATCH('/forms/{id}', { params: { path }, body })
    expect(renamed.data.data).toMatchObject({ ...body, response_count: 29 })
    const { error, response } = await api.GET('/forms', { params: { query: { per_page: 0 } } })
    expect([response.status, error.error.details.field]).toEqual([422, 'per_page'])
  })

  it('is generated from the document that the server returns', async () => {
    const kit = await startFormwire()
    onTestFinished(() => kit.close())
    const served = await kit.clientOptions.fetch('http://formwire.test/openapi.json')
    const file = new URL('../../../contract/openapi.json', import.meta.url)
    expect(await served.json()).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })
})
