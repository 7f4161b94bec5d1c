import { expect, it } from 'vitest'
import { createControlApi } from '../../src/control/control-api.ts'
import type { RouteGroup } from '../../src/http/handler.ts'
import { createRouteGroup } from '../../src/http/handler.ts'
import { type Route, route } from '../../src/http/router.ts'
import { handleFetch } from '../../src/http/transports/fetch.ts'

const ROUTES: readonly Route[] = [
  route('GET', '/_app/here', () => ({ status: 200, headers: {}, body: 'here' })),
]
const allowedHosts = new Set(['localhost'])

it.each<[string, (load: () => void) => RouteGroup]>([
  [
    'a public route group',
    (load) =>
      createRouteGroup('/_app', async () => {
        load()
        return ROUTES
      }),
  ],
  [
    'the control API',
    (load) =>
      createControlApi({
        adminToken: 'x',
        allowedHosts,
        load: async () => {
          load()
          return { routes: [], openRoutes: ROUTES }
        },
      }),
  ],
])(
  'the routes of %s load once for concurrent requests, and again after a failed load',
  async (_what, make) => {
    let loads = 0
    const group = make(() => {
      loads += 1
      if (loads === 1) throw new Error('EMFILE')
    })
    const send = () =>
      handleFetch((request) => group.handle(request), new Request('http://localhost/_app/here'))
    await expect(send()).rejects.toThrow('EMFILE')
    const responses = await Promise.all([send(), send(), send()])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await send()).status).toBe(200)
    expect(loads).toBe(2)
  },
)
