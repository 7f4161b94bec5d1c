import { describe, expect, it } from 'vitest'
import { createWorld } from '../delivery/world.ts'

/** A resolver that knows one name. */
const resolveHost = async (host: string): Promise<readonly string[]> => {
  if (host !== 'inside.example.com') throw new Error('ENOTFOUND')
  return ['10.1.2.3']
}

// How a URL is judged is in policy/address-rules.test.ts and policy/address-ranges.test.ts, that it is judged in conformance/every-transport/webhooks.ts.
describe('a host that does not resolve', () => {
  it('[HOOK-04] is accepted with unresolvableHost: accepted if it passes the other rules', async () => {
    const world = await createWorld({
      addressRules: 'production',
      dns: resolveHost,
      unspecified: { unresolvableHost: 'accepted' },
    })
    const post = (url: string) => world.api('POST', `/api/v1/forms/${world.formId}/webhooks`, { url })
    expect((await post('https://nowhere.example.com/')).status).toBe(201)
    expect((await post('https://nowhere.example.com:3000/')).status).toBe(422)
    expect((await post('http://nowhere.example.com/')).status).toBe(422)
    expect((await post('https://inside.example.com/')).status).toBe(422)
  })

  it('[HOOK-04] is refused when its name server does not respond', async () => {
    const world = await createWorld({ deliveryTimeoutMs: 1, dns: () => new Promise(() => {}) })
    const { status, body } = await world.api('POST', `/api/v1/forms/${world.formId}/webhooks`, {
      url: 'https://hooks.example.com/',
    })
    expect([status, body.error.message]).toEqual([422, 'hooks.example.com does not resolve.'])
  })
})

describe('registration', () => {
  it('[HOOK-04] applies the rules in the app too', async () => {
    const world = await createWorld({ addressRules: 'production', dns: resolveHost })
    const answer = await world.control('POST', `/_app/forms/${world.formId}/webhooks`, {
      url: 'https://10.0.0.1/',
    })
    expect([answer.status, answer.body.error.details]).toEqual([422, { field: 'url' }])
  })

  it('[ENV-09] refuses unknown fields with unknownParameters: 422', async () => {
    const world = await createWorld({ unspecified: { unknownParameters: '422' } })
    const { status, body } = await world.api('POST', `/api/v1/forms/${world.formId}/webhooks`, {
      url: 'http://127.0.0.1:9/',
      events: [],
    })
    expect([status, body.error.details]).toEqual([422, { field: 'events' }])
  })
})

describe('the dns option', () => {
  it('[HOOK-04] accepts a table in which no other name resolves', async () => {
    const world = await createWorld({
      addressRules: 'production',
      dns: { 'Public.example.com': ['203.0.114.7'], 'inside.example.com': ['203.0.114.7', '10.0.0.8'] },
    })
    const path = `/api/v1/forms/${world.formId}/webhooks`
    const status = async (host: string) => (await world.api('POST', path, { url: `https://${host}/` })).status
    expect([
      await status('public.example.com'),
      await status('inside.example.com'),
      await status('other.example.com'),
    ]).toEqual([201, 422, 422])
  })
})

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
