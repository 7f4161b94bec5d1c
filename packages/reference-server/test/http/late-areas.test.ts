import { describe, expect, it } from 'vitest'
import { createControl } from '../../src/app/control.ts'
import { openArea } from '../../src/http/area.ts'
import { answerFetch } from '../../src/http/fetch.ts'
import type { Area } from '../../src/http/handler.ts'
import type { Route } from '../../src/http/route.ts'

const ROUTES: readonly Route[] = [
  { method: 'GET', pattern: '/_app/here', run: () => ({ status: 200, headers: {}, body: 'here' }) },
]

const ask = (area: Area): Promise<Response> =>
  answerFetch((request) => area.answer(request), new Request('http://localhost/_app/here'))

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
    'an open area',
    (failing: number[]) => {
      const { loads, load } = loader(ROUTES, failing)
      return { loads, area: openArea('/_app', load) }
    },
  ],
  [
    'the control side',
    (failing: number[]) => {
      const { loads, load } = loader({ routes: [], openRoutes: ROUTES }, failing)
      return { loads, area: createControl({ adminToken: 'x', allowedHosts: new Set(['localhost']), load }) }
    },
  ],
])('routes of %s', (_what, make) => {
  it('are loaded once, however many ask at one time', async () => {
    const { loads, area } = make([])
    const answers = await Promise.all([ask(area), ask(area), ask(area)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(loads.count).toBe(1)
  })

  it('are asked for again after a loading that failed', async () => {
    const { loads, area } = make([1])
    await expect(ask(area)).rejects.toThrow('EMFILE')
    expect((await ask(area)).status).toBe(200)
    expect((await ask(area)).status).toBe(200)
    expect(loads.count).toBe(2)
  })
})
