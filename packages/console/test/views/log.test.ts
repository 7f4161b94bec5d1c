import { describe, expect, it } from 'vitest'
import { outcomesText } from '../../src/views/delivery/outcome.ts'
import { failedOf } from '../../src/views/delivery/replays.ts'
import { countViews, type Filter, filterDeliveries, filterOf } from '../../src/views/log/filter.ts'
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

const found = (query: Partial<Filter>): string[] =>
  filterDeliveries(LIST, filterOf(new Map(Object.entries(query))), NOW, (id) => URLS[id] ?? '').map(
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
      filterDeliveries([one as never], filterOf(new Map([['q', 'late.example']])), NOW, () => url).length
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
    const isFound = (one: typeof recovered) => filterDeliveries([one], filter, NOW, () => '').length === 1
    expect([isFound(recovered), isFound(first)]).toEqual([true, query.result === '2xx'])
  })

  it.each([
    [{ since: '15m' }, ['refused']],
    [{ since: '24h' }, ['refused', 'down', 'fine']],
    [{ since: 'long ago' }, ['refused', 'down', 'fine', 'new']],
  ])('select by the time of creation, the bound included: %j', (query, ids) => {
    expect(found(query)).toEqual(ids)
  })

  it('count what each view has', () => {
    expect(countViews(LIST)).toEqual({ '': 4, pending: 2, failed: 1 })
  })

  it('return the list itself without a filter', () => {
    expect(filterDeliveries(LIST, filterOf(new Map()), NOW, () => '')).toBe(LIST)
  })
})

describe('the replay of what failed', () => {
  const failed = (id: string, changes = {}) => delivery(id, { status: 'failed', ...changes })
  const replayed = (log: ReturnType<typeof failed>[], list = log) => failedOf(list, log).map(({ id }) => id)

  it('sends the listed ones, oldest first', () => {
    const log = [
      failed('c', { response_id: 3 }),
      delivery('b', { response_id: 2, status: 'delivered' }),
      failed('a', { response_id: 1 }),
    ]
    expect(replayed(log)).toEqual(['a', 'c'])
    expect(replayed(log, log.slice(0, 2))).toEqual(['c'])
  })

  it('sends an event once: not when a later delivery of it exists', () => {
    const later = delivery('b', { status: 'delivered' })
    expect(replayed([later, failed('a')])).toEqual([])
    expect(replayed([later, failed('a')], [failed('a')])).toEqual([])
    expect(replayed([failed('b'), failed('a')])).toEqual(['b'])
    expect(replayed([delivery('b', { webhook_id: 2 }), failed('a')])).toEqual(['a'])
  })
})

describe('the outcome of a replay', () => {
  it('counts the deliveries by the error of their latest attempt', () => {
    const ended = [
      delivery('a', { error: null }),
      delivery('b', { error: 'http_503' }),
      delivery('c', { error: null }),
      delivery('d', { error: 'refused' }),
    ]
    expect(outcomesText(ended, 4)).toBe('2 delivered, 1 http_503, 1 refused')
    expect(outcomesText(ended.slice(1, 2), 3)).toBe('1 http_503, 2 without a result yet')
  })
})
