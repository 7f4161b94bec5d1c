import { expect } from 'vitest'
import { FORM } from '../seed.ts'
import type { World } from '../world.ts'
import { expectEach, shows } from './case.ts'

const add = ({ api }: World, url: unknown, form = FORM) =>
  api('POST', `/forms/${form}/webhooks`, { json: { url } })
const list = async ({ api }: World) => (await api('GET', `/forms/${FORM}/webhooks`)).json

/** The host names of the cases, without a DNS query. */
const resolveHost = async (host: string) => {
  const known: Record<string, string[]> = {
    localhost: ['127.0.0.1'],
    'hooks.example.com': ['93.184.216.34'],
    'inside.example.com': ['10.1.2.3'],
    'both.example.com': ['93.184.216.34', '127.0.0.1'],
    'six.example.com': ['fd00::1'],
  }
  const addresses = known[host]
  if (!addresses) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  return addresses
}
const production = { addressRules: 'production', dns: resolveHost } as const

export const webhookCases = [
  shows('HOOK-01 HOOK-02', 'creates an endpoint with a secret that is shown only once', async (world) => {
    const { status, json } = await add(world, 'http://127.0.0.1:9/hook')
    const { secret, ...endpoint } = json.data
    expect([status, endpoint]).toEqual([
      201,
      { id: 2, url: 'http://127.0.0.1:9/hook', active: true, created_at: '2026-03-02T12:00:00.000Z' },
    ])
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{40}$/)
    const reply = await world.api('GET', `/forms/${FORM}/webhooks`)
    expect(reply.json).toEqual({ data: [endpoint], meta: { page: 1, per_page: 25, total: 1 } })
    expect((await world.app('GET', `/forms/${FORM}/webhooks`)).text).not.toContain(secret)
    await add(world, 'http://127.0.0.1:9/two')
    const second = (await world.api('GET', `/forms/${FORM}/webhooks?page=2&per_page=1`)).json
    expect(second).toMatchObject({ data: [{ id: 3 }], meta: { page: 2, per_page: 1, total: 2 } })
  }),
  shows('HOOK-01 HOOK-07', 'lists a paused endpoint with active false', async (world) => {
    await add(world, 'http://127.0.0.1:9/hook')
    const act = (action: string) => world.app('POST', `/forms/${FORM}/webhooks/2/${action}`)
    const shown = async () => (await list(world)).data.map((one: { active: boolean }) => one.active)
    expect(await shown()).toEqual([true])
    expect((await act('pause')).status).toBe(200)
    expect(await shown()).toEqual([false])
    expect((await act('resume')).status).toBe(200)
    expect(await shown()).toEqual([true])
    await act('pause')
    expect((await world.api('DELETE', `/forms/${FORM}/webhooks/2`)).status).toBe(200)
    expect(await shown()).toEqual([])
  }),
  shows(
    'HOOK-04',
    'rejects a URL that breaks an address rule with 422 and field url',
    async (world) => {
      const long = (length: number, character = 'x') =>
        `https://hooks.example.com/${character.repeat(length - 26)}`
      // policy/address-rules.test.ts and address-ranges.test.ts have the others.
      const refused = [
        undefined,
        1,
        'hooks.example.com',
        'http://hooks.example.com/',
        long(501),
        long(501, '😀'),
        'https://user@hooks.example.com/',
        'https://hooks.example.com:444/',
        'https://localhost/',
        'https://2130706433/',
        'https://10.0.0.1/',
        'https://[::ffff:127.0.0.1]/',
        'https://[fe80::1]/',
        'https://both.example.com/',
        'https://six.example.com/',
        'https://unknown.example.com/',
      ]
      const refusal = async (url: unknown) => {
        const { status, json } = await add(world, url)
        return [status, json.error.code, json.error.details]
      }
      await expectEach(refused, refusal, [422, 'validation_failed', { field: 'url' }])
      for (const url of [
        'https://hooks.example.com',
        long(500),
        long(500, '😀'),
        'https://hooks.example.com:8443/x?y=z',
        'https://93.184.216.34/',
      ]) {
        const { status, json } = await add(world, url)
        expect([url, status, json.data?.url]).toEqual([url, 201, url])
      }
    },
    { options: production },
  ),
  shows(
    'HOOK-04',
    'accepts http and loopback on any port in development',
    async (world) => {
      for (const [url, status] of [
        ['http://127.0.0.1:4000/', 201],
        ['http://localhost:4000/', 201],
        ['http://[::1]:4000/', 201],
        ['http://hooks.example.com/', 201],
        ['http://10.0.0.1/', 422],
        ['http://hooks.example.com:4000/', 422],
      ] as const) {
        expect([url, (await add(world, url)).status]).toEqual([url, status])
      }
    },
    { options: { dns: resolveHost } },
  ),
  shows('HOOK-09', 'limits the endpoints of a workspace by plan', async (world) => {
    const second = world.server.app.forms.create({ title: 'Second', workspace_id: 1 }).id
    const third = world.server.app.forms.create({ title: 'Third', workspace_id: 1 }).id
    // `starter` allows 20. Only the control API can write on that plan.
    await world.app('PATCH', '/workspaces/1', { json: { plan: 'starter' } })
    const statuses: number[] = []
    for (const form of [FORM, second, third]) {
      for (let i = 0; i < 7; i += 1) {
        const json = { url: `http://127.0.0.1:9/${i}` }
        statuses.push((await world.app('POST', `/forms/${form}/webhooks`, { json })).status)
      }
    }
    expect([statuses.filter((status) => status === 201).length, statuses[20]]).toEqual([20, 422])
  }),
]
