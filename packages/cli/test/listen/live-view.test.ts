import { describe, expect, it } from 'vitest'
import { liveReceivedColumns } from '../../src/listen/columns.ts'
import { detailsOf, rowOf } from '../../src/listen/live-view.ts'
import { type ReceivedDelivery, receivedDelivery } from '../../src/listen/received-delivery.ts'
import { PLAIN_PENS } from '../../src/output/pens.ts'
import { cellText } from '../../src/output/table.ts'
import { detailLines } from '../../src/ui/live-details.ts'

const received = receivedDelivery({
  number: 3,
  received_at: '2026-11-21T12:00:00.000Z',
  delivery_id: 'dlv_1',
  event: 'test.ping',
  form_id: 'survey',
  response_id: 0,
})

const options = {
  targetOf: (_form: string | null): string | undefined => undefined,
  now: () => Date.parse('2026-11-21T12:00:00.000Z'),
}
const rowFor = (change: Partial<ReceivedDelivery>, given: Partial<typeof options> = {}) => {
  const { now, targetOf } = { ...options, ...given }
  return rowOf({ ...received, ...change }, liveReceivedColumns(now, targetOf))
}
const line = (row: ReturnType<typeof rowOf>) =>
  row.cells
    .map(cellText)
    .filter((text) => text !== '')
    .join('  ')

it('shows the attempt of a delivery if the log of the sender contains it', () => {
  expect(rowFor({ attempt: 1 })).toEqual({
    key: '#3',
    delivery: 'dlv_1',
    cells: ['12:00:00Z', 'survey', '200', '', '', '', 'test', '1', 'dlv_1', 'test.ping', ''],
    tone: 'good',
  })
  expect(line(rowFor({}))).toBe('12:00:00Z  survey  200  test  dlv_1  test.ping')
})

it('shows why a delivery failed, how long it took, when it is sent again, and its handler', () => {
  const reason = 'cannot connect to the handler at http://localhost:3000: connection refused'
  const forwarded = { status: null, duration_ms: 2, reason }
  const row = rowFor(
    { answered: 502, forwarded, attempt: 1, next_attempt_at: '2026-11-21T12:05:00.000Z' },
    { targetOf: (form) => `http://localhost:3000/${form}` },
  )
  expect(line(row)).toBe(
    `12:00:00Z  survey  unreachable  2 ms  in 5 min  http://localhost:3000/survey  test  1  dlv_1  test.ping  ${reason}`,
  )
  expect(row.tone).toBe('bad')
})

it('counts a request that failed verification on its own, whatever delivery it names', () => {
  const problem = { code: 'wrong_secret', message: 'The secret is wrong.', hint: 'Use another one.' }
  expect(rowFor({}).delivery).toBe('dlv_1')
  expect(rowFor({ verified: false, problem, answered: 401 }).delivery).toBe('#3')
})

it('shows the next attempt until it is due: it has a row of its own', () => {
  let now = options.now()
  const change = { answered: 500, attempt: 1, next_attempt_at: '2026-11-21T12:05:00.000Z' }
  const row = rowFor(change, { now: () => now })
  const next = () => cellText(row.cells[4] ?? '')
  expect(next()).toBe('in 5 min')
  now += 299_500
  expect(next()).toBe('in 1 s')
  now += 500
  expect(next()).toBe('')
})

describe('the details of a delivery', () => {
  const now = Date.parse('2026-11-21T12:00:30.000Z')
  const handled = { rawHeaders: [], body: Buffer.from('{}'), responseBody: '' }
  function lines(change: Partial<ReceivedDelivery>, serverNow = now) {
    const clocks = { local: () => now, server: () => serverNow }
    return detailLines(detailsOf({ ...received, ...change }, handled, clocks), [], PLAIN_PENS)(100)
  }

  it('have both times relative and in UTC, and name the clock of the server if it differs', () => {
    const change = { answered: 500, next_attempt_at: '2026-11-21T12:01:00.000Z' }
    expect(lines(change)).toEqual([
      'Received      just now (2026-11-21T12:00:00.000Z)',
      'Delivery      dlv_1',
      'Event         test.ping',
      'Form          survey',
      'Response      0',
      'Verified      yes',
      'Status        500',
      'Next attempt  in 30 s (2026-11-21T12:01:00.000Z)',
      '',
      '{}',
    ])
    expect(lines(change, Date.parse('2026-11-21T11:56:00.000Z'))[7]).toBe(
      "Next attempt  in 5 min (2026-11-21T12:01:00.000Z by the server's clock)",
    )
  })
})
