import { describe, expect, it } from 'vitest'
import { createWorld } from './world.ts'

describe('endpoints', () => {
  it('[HOOK-06] counts endpoints that are added concurrently', async () => {
    const { formId, server, api } = await createWorld({ limits: { webhooksPerForm: 3 } })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, number) =>
        api('POST', `/api/v1/forms/${formId}/webhooks`, { url: `http://127.0.0.1:9/${number}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(server.app.webhooks.list(formId)).toHaveLength(3)
  })

  it('[AUTH-12] returns 404 for an endpoint of another form', async () => {
    const { server, receive, api, control } = await createWorld()
    const { id } = await receive()
    const other = server.app.forms.create({ title: 'Other' })
    expect((await api('DELETE', `/api/v1/forms/${other.id}/webhooks/${id}`)).status).toBe(404)
    expect((await control('POST', `/_app/forms/${other.id}/webhooks/${id}/pause`)).status).toBe(404)
    expect((await control('GET', `/_app/forms/${other.id}/webhooks/${id}/deliveries`)).status).toBe(404)
  })
})
