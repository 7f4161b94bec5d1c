import { createReferenceServer } from '@formwire/reference-server'
import { Formwire } from '@formwire/sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { addEndpoint } from '../src/add-endpoint.ts'
import { closeForm } from '../src/close-form.ts'

describe('error handling', () => {
  let server: ReturnType<typeof createReferenceServer>
  let formId = ''
  const client = (apiKey = server.writeKey) => new Formwire({ apiKey, fetch: server.fetch, maxRetries: 0 })
  beforeEach(() => {
    server = createReferenceServer()
    formId = server.app.forms.create({ title: 'Survey' }).id
  })

  it('describes the result', async () => {
    expect(await closeForm(client(), formId)).toBe('The service rejected status.')
    server.app.forms.publish(formId)
    expect(await closeForm(client(), formId)).toBe('"Survey" is closed.')
    expect(await closeForm(client(), 'nosuchform00')).toBe(
      'Form nosuchform00 does not exist in this workspace.',
    )
    expect(await closeForm(client(server.readKey), formId)).toBe('This key may not change forms.')
    server.app.faults.add({ reset: 'before', times: 1 })
    expect(await closeForm(client(), formId)).toBe('Cannot reach the service.')
    server.app.faults.add({ status: 500, times: 1 })
    expect(await closeForm(client(), formId)).toMatch(/^Failed after 1 attempts: PATCH /)
    server.app.faults.add({ status: 429, retry_after: 7, times: 1 })
    expect(await closeForm(client(), formId)).toBe('Too many requests: try again in 7 s.')
  })

  it('adds an endpoint once if the response is lost', async () => {
    server.app.faults.add({ method: 'POST', reset: 'unanswered', times: 1 })
    const endpoint = await addEndpoint(client(), formId, 'http://127.0.0.1:9/hook')
    expect(endpoint.secret).toMatch(/^whsec_/)
    const endpoints = await client().webhooks.list(formId)
    expect(endpoints.data.map(({ id }) => id)).toEqual([endpoint.id])
  })
})
