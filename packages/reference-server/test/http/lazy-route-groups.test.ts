import { describe, expect, it } from 'vitest'
import { createControlApi } from '../../src/control/control-api.ts'
import type { RouteGroup } from '../../src/http/handler.ts'
import { createRouteGroup } from '../../src/http/route-group.ts'
import type { Route } from '../../src/http/router.ts'
import { handleFetch } from '../../src/http/transports/fetch.ts'

const ROUTES: readonly Route[] = [
  { method: 'GET', pattern: '/_app/here', run: () => ({ status: 200, headers: {}, body: 'here' }) },
]

const send = (group: RouteGroup): Promise<Response> =>
  handleFetch((request) => group.handle(request), new Request('http://localhost/_app/here'))

/** Loads that fail when their turn is in `failing`, counted from 1. */
function loader<Loaded>(loaded: Loaded, failing: readonly number[]) {
  const loads = { count: 0 }
  const load = async (): Promise<Loaded> => {
    loads.count += 1
    if (failing.includes(loads.count)) throw new Error('EMFILE')
    return loaded
  }
  return { loads, load }
}

describe.each([
  [
    'a public route group',
    (failing: number[]) => {
      const { loads, load } = loader(ROUTES, failing)
      return { loads, group: createRouteGroup('/_app', load) }
    },
  ],
  [
    'the control API',
    (failing: number[]) => {
      const { loads, load } = loader({ routes: [], openRoutes: ROUTES }, failing)
      return {
        loads,
        group: createControlApi({ adminToken: 'x', allowedHosts: new Set(['localhost']), load }),
      }
    },
  ],
])('lazily loaded routes of %s', (_what, make) => {
  it('load once for concurrent requests', async () => {
    const { loads, group } = make([])
    const responses = await Promise.all([send(group), send(group), send(group)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(loads.count).toBe(1)
  })

  it('load again after a failed load', async () => {
    const { loads, group } = make([1])
    await expect(send(group)).rejects.toThrow('EMFILE')
    expect((await send(group)).status).toBe(200)
    expect((await send(group)).status).toBe(200)
    expect(loads.count).toBe(2)
  })
})
