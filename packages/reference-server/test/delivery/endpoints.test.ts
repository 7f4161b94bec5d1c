import { describe, expect, it } from 'vitest'
import { createWorld } from './world.ts'

describe('delete', () => {
  it('[HOOK-02] never reuses an id', async () => {
    const { server, formId, hook } = await createWorld()
    const { id } = await hook('http://127.0.0.1:9/')
    server.app.webhooks.delete(formId, id)
    expect((await hook('http://127.0.0.1:9/')).id).toBe(id + 1)
  })
})

describe('endpoints', () => {
  it('[HOOK-01] lists endpoints without their secrets, in pages', async () => {
    const { formId, hook, api } = await createWorld()
    await hook('http://127.0.0.1:9/one')
    await hook('http://127.0.0.1:9/two')
    expect(await api('GET', `/api/v1/forms/${formId}/webhooks`)).toEqual({
      status: 200,
      body: {
        data: [
          { id: 1, url: 'http://127.0.0.1:9/one', active: true, created_at: '2026-11-21T09:30:00.000Z' },
          { id: 2, url: 'http://127.0.0.1:9/two', active: true, created_at: '2026-11-21T09:30:00.000Z' },
        ],
        meta: { page: 1, per_page: 25, total: 2 },
      },
    })
    const second = await api('GET', `/api/v1/forms/${formId}/webhooks?page=2&per_page=1`)
    expect(second.body.data.map((endpoint: { id: number }) => endpoint.id)).toEqual([2])
    expect(second.body.meta).toEqual({ page: 2, per_page: 1, total: 2 })
  })

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
    const { server, formId, receive, api, control } = await createWorld()
    const { id } = await receive()
    const other = server.app.forms.create({ title: 'Other' })
    for (const wrong of [String(id + 1), '0', '1.0', 'x', '01', '%31%30']) {
      expect((await api('DELETE', `/api/v1/forms/${formId}/webhooks/${wrong}`)).status).toBe(404)
    }
    expect((await api('DELETE', `/api/v1/forms/${other.id}/webhooks/${id}`)).status).toBe(404)
    expect((await control('POST', `/_app/forms/${other.id}/webhooks/${id}/pause`)).status).toBe(404)
    expect((await control('GET', `/_app/forms/${other.id}/webhooks/${id}/deliveries`)).status).toBe(404)
  })
})
