import type { EndpointHealth } from '@formwire/contract/control'
import { describe, expect, it } from 'vitest'
import { figuresOf, tallyText } from '../../src/views/figures.ts'
import {
  outcomeOf,
  planReplayOfAll,
  planReplayOfFailed,
  type ReplayPlan,
  waitingOf,
} from '../../src/views/log/bulk-plan.ts'
import { countViews, type Filter, filterDeliveries, filterOf } from '../../src/views/log/filter.ts'
import { groupPlaces, groupState, withoutCollapsed } from '../../src/views/log/groups.ts'
import { delivery } from '../delivery.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

const LIST = [
  delivery('refused', {
    status: 'pending',
    attempts: 1,
    error: 'refused',
    webhook_id: 2,
    created_at: '2026-11-21T11:59:00.000Z',
  }),
  delivery('down', {
    status: 'failed',
    attempts: 6,
    error: 'http_503',
    http_status: 503,
    created_at: '2026-11-21T10:30:00.000Z',
  }),
  delivery('fine', {
    status: 'delivered',
    attempts: 1,
    http_status: 204,
    payload: { form: { title: 'Autumn Survey' } },
    created_at: '2026-11-20T12:00:00.000Z',
  }),
  delivery('new', { created_at: '2026-11-14T12:00:00.000Z' }),
]

const URLS: Readonly<Record<number, string>> = {
  1: 'https://hooks.example.com/in',
  2: 'http://127.0.0.1:4000/',
}

const HEALTHY = { state: 'healthy', since: null, not_sent: 0 } as const
const endpoint = (url: string, health: EndpointHealth = HEALTHY) => ({ url, health })

const found = (query: Partial<Filter>): string[] =>
  filterDeliveries(LIST, filterOf(new Map(Object.entries(query))), NOW, (id) => endpoint(URLS[id] ?? '')).map(
    ({ id }) => id,
  )

describe('the filters of the delivery log', () => {
  it.each([
    ['503', ['down']],
    ['refused', ['refused']],
    ['http_503', ['down']],
    ['hooks.example.com', ['down', 'fine', 'new']],
    ['127.0.0.1:4000', ['refused']],
    ['autumn SURVEY', ['fine']],
    ['survey autumn', ['fine']],
    ['hooks.example.com 503', ['down']],
    ['failed', ['down']],
    ['nowhere', []],
  ])('find %j in what the list shows, and in the payload', (q, ids) => {
    expect(found({ q })).toEqual(ids)
  })

  it('show only the deliveries of a list of ids', () => {
    expect(found({ ids: 'fine,refused,gone' })).toEqual(['refused', 'fine'])
    expect(found({ ids: 'fine,refused', status: 'pending' })).toEqual(['refused'])
  })

  it('search a delivery again after its endpoint is loaded', () => {
    const [one] = [delivery('late', { webhook_id: 3 })]
    const search = (url: string) =>
      filterDeliveries([one as never], filterOf(new Map([['q', 'late.example']])), NOW, () => endpoint(url))
        .length
    expect(search('')).toBe(0)
    expect(search('https://late.example/')).toBe(1)
  })

  it.each([
    ['2xx', ['fine']],
    ['5xx', ['down']],
    ['none', ['refused']],
    ['refused', ['refused']],
    ['http_503', ['down']],
    ['4xx', []],
    ['failed', ['refused', 'down']],
  ])('select by the response: %s', (result, ids) => {
    expect(found({ result })).toEqual(ids)
  })

  it.each<[Partial<Filter>]>([
    [{ result: 'http_502' }],
    [{ result: 'timeout' }],
    [{ result: '5xx' }],
    [{ result: '2xx' }],
    [{ result: 'none' }],
    [{ result: 'failed' }],
    [{ q: '502' }],
    [{ q: 'timeout' }],
  ])('find a delivery that recovered by any of its attempts: %j', (query) => {
    const recovered = delivery('recovered', {
      status: 'delivered',
      attempts: 3,
      http_status: 200,
      earlier_errors: ['http_502', 'timeout'],
    })
    const first = delivery('first', { status: 'delivered', attempts: 1, http_status: 204 })
    const filter = filterOf(new Map(Object.entries(query)))
    const isFound = (one: typeof recovered) =>
      filterDeliveries([one], filter, NOW, () => undefined).length === 1
    expect([isFound(recovered), isFound(first)]).toEqual([true, query.result === '2xx'])
  })

  it.each([
    [{ since: '15m' }, ['refused']],
    [{ since: '24h' }, ['refused', 'down', 'fine']],
    [{ from: '2026-11-20T12:00Z', to: '2026-11-21T10:30Z' }, ['down', 'fine']],
    [{ to: '2026-11-19' }, ['new']],
    [{ since: 'custom', from: '2026-11-21T11:00Z' }, ['refused']],
    [{ from: 'soon' }, ['refused', 'down', 'fine', 'new']],
  ])('select by the time of creation, bounds included: %j', (query, ids) => {
    expect(found(query)).toEqual(ids)
  })

  it('count and select what fails now: what is retried, and what failed while its endpoint has been failing', () => {
    const since = '2026-11-21T11:00:00.000Z'
    const endpoints = [
      endpoint(''),
      endpoint('', { state: 'failing', since, not_sent: 0 }),
      endpoint('', { state: 'healthy', since: null, not_sent: 0 }),
      endpoint('', { state: 'paused', since, not_sent: 3 }),
    ]
    const gone = { status: 'failed', attempts: 6, error: 'http_503' } as const
    const list = [
      delivery('new', { webhook_id: 1 }),
      delivery('retried', { webhook_id: 2, attempts: 1, error: 'refused' }),
      delivery('during', { ...gone, webhook_id: 1 }),
      // Its last attempt was 14 h 36 min later.
      delivery('begun before', { ...gone, webhook_id: 1, created_at: '2026-11-20T21:00:00.000Z' }),
      delivery('long before', { ...gone, webhook_id: 1, created_at: '2026-11-20T20:00:00.000Z' }),
      delivery('works again', { ...gone, webhook_id: 2 }),
      delivery('paused', { ...gone, webhook_id: 3 }),
      delivery('delivered', { status: 'delivered', attempts: 2, webhook_id: 1, earlier_errors: ['refused'] }),
    ]
    const endpointOf = (id: number) => endpoints[id]
    expect(countViews(list, endpointOf)).toEqual({ '': 8, failing: 3, pending: 2, failed: 5 })
    const failing = filterDeliveries(list, filterOf(new Map([['status', 'failing']])), NOW, endpointOf)
    expect(failing.map(({ id }) => id)).toEqual(['retried', 'during', 'begun before'])
    // Not what was delivered by a replay since.
    const resent = new Set(['retried', 'during'])
    expect(countViews(list, endpointOf, resent)).toEqual({ '': 8, failing: 1, pending: 2, failed: 5 })
  })

  it('return the list itself without a filter', () => {
    expect(filterDeliveries(LIST, filterOf(new Map()), NOW, () => undefined)).toBe(LIST)
  })
})

describe('the deliveries of one response', () => {
  const to = (id: string, webhook_id: number, response_id = 7) => delivery(id, { webhook_id, response_id })
  const kinds = (list: ReturnType<typeof to>[]) => groupPlaces(list).map(({ kind }) => kind)

  it('are a group when they are neighbours that go to different endpoints', () => {
    expect(kinds([to('d', 1, 8), to('c', 3), to('b', 2), to('a', 1)])).toEqual([
      'alone',
      'first',
      'inner',
      'last',
    ])
  })

  it('are apart when one of them is a replay, and test events always are', () => {
    expect(kinds([to('c', 1), to('b', 2), to('a', 1)])).toEqual(['first', 'last', 'alone'])
    expect(kinds([to('b', 2, 0), to('a', 1, 0)])).toEqual(['alone', 'alone'])
  })

  it('collapse to the first one, with a summary, and stay collapsed when a delivery is added', () => {
    const group = [
      { ...to('c', 3), status: 'failed' as const },
      to('b', 2),
      { ...to('a', 1), status: 'failed' as const },
    ]
    const shown = (list: typeof group) =>
      withoutCollapsed(list, groupPlaces(list), new Set(['a'])).list.map(({ id }) => id)
    expect(shown(group)).toEqual(['c'])
    expect(shown([to('d', 4), ...group])).toEqual(['d'])
    expect(tallyText(figuresOf(group))).toBe('1 pending, 2 failed')
    expect(groupState(group)).toBe('2 of 3 failed')
    expect(groupState([to('b', 2), to('a', 1)])).toBe('2 pending')
  })
})

describe('the bulk replay', () => {
  const idsOf = ({ send, total, leftOut }: ReplayPlan) => [send.map(({ id }) => id), total, leftOut]
  const failed = (id: string, changes = {}) =>
    delivery(id, { status: 'failed', payload: { event: 'response.submitted' }, ...changes })
  const plan = (log: ReturnType<typeof failed>[], list = log) => {
    return idsOf(planReplayOfFailed(list, log, (id) => id === 9))
  }

  it('sends what failed, oldest first, and leaves out what goes to paused endpoints', () => {
    const log = [
      failed('c', { response_id: 3 }),
      failed('p', { response_id: 2, webhook_id: 9 }),
      delivery('b', { response_id: 2, status: 'delivered' }),
      failed('a', { response_id: 1 }),
    ]
    expect(plan(log)).toEqual([['a', 'c'], 3, 'endpoint paused (1)'])
    // Sent as well if their endpoints are resumed.
    expect(planReplayOfFailed(log, log, (id) => id === 9).paused.map(({ id }) => id)).toEqual(['p'])
  })

  it('sends an event once: not when a later delivery of it exists', () => {
    const later = delivery('b', { status: 'delivered' })
    expect(plan([later, failed('a')])).toEqual([[], 1, 'already resent (1)'])
    expect(plan([later, failed('a')], [failed('a')])).toEqual([[], 1, 'already resent (1)'])
    expect(plan([failed('b'), failed('a')])).toEqual([['b'], 2, 'already resent (1)'])
    expect(plan([delivery('b', { webhook_id: 2 }), failed('a')])).toEqual([['a'], 1, ''])
  })

  it('leaves out a delivery whose payload was deleted', () => {
    expect(plan([failed('a', { payload: {} })])).toEqual([[], 1, 'payload deleted (1)'])
  })

  it('of all sends delivered ones too, each event once to each endpoint, and nothing that is pending', () => {
    const list = [
      failed('pending', { response_id: 5, status: 'pending' }),
      failed('replayed', { response_id: 4, status: 'delivered' }),
      failed('original', { response_id: 4 }),
      failed('paused', { response_id: 3, webhook_id: 9, status: 'delivered' }),
      failed('deleted', { response_id: 2, payload: {} }),
      failed('delivered', { response_id: 1, status: 'delivered' }),
    ]
    expect(idsOf(planReplayOfAll(list, (id) => id === 9))).toEqual([
      ['delivered', 'replayed'],
      6,
      'still pending (1), already resent (1), endpoint paused (1), payload deleted (1)',
    ])
  })
})

describe('the bulk retry', () => {
  it('[DLV-06] sends what waits for its next attempt, oldest first', () => {
    const list = [
      delivery('first attempt', { attempts: 0 }),
      delivery('b', { attempts: 2 }),
      delivery('ended', { attempts: 2, status: 'failed' }),
      delivery('a', { attempts: 1 }),
    ]
    expect(waitingOf(list).map(({ id }) => id)).toEqual(['a', 'b'])
  })
})

describe('the outcome of a bulk action', () => {
  it('counts the deliveries by the error of their latest attempt', () => {
    const ended = [
      delivery('a', { error: null }),
      delivery('b', { error: 'http_503' }),
      delivery('c', { error: null }),
      delivery('d', { error: 'refused' }),
    ]
    expect(outcomeOf(ended, 4)).toBe('2 delivered, 1 http_503, 1 refused')
    expect(outcomeOf(ended.slice(1, 2), 3)).toBe('1 http_503, 2 without a result yet')
  })
})
