import { expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { liveDeliveryColumns } from '../../src/columns/deliveries.ts'
import { showDeliveryTail } from '../../src/commands/deliveries/live-tail.ts'
import type { ControlClient, Delivery } from '../../src/control/client.ts'
import { Endpoints } from '../../src/control/endpoints.ts'
import type { FollowEvent } from '../../src/control/follow.ts'
import { cellText } from '../../src/output/table.ts'
import { cellsOf } from '../../src/ui/live-model.ts'
import { onTerminal } from '../support/on-terminal.ts'

const delivery: Delivery = {
  id: 'dlv_1',
  event: 'test.ping',
  status: 'delivered',
  response_id: 0,
  payload: {},
  http_status: 200,
  error: null,
  earlier_errors: [],
  duration_ms: 999.6,
  receiver_answer: null,
  attempts: 1,
  next_attempt_at: null,
  note: null,
  created_at: '2026-11-21T12:00:00.000Z',
  form_id: 'survey000001',
  webhook_id: 1,
}

it('[ENV-04] counts by status, also an unknown one, and does not read the clock for each delivery that is attempted again', async () => {
  const now = Date.parse(delivery.created_at)
  const { context, written } = onTerminal({ now: () => now, sleep: vi.fn() })
  const readClock = vi.fn(async () => ({ mode: 'manual', now: delivery.created_at }))
  const control = { clock: readClock, endpoints: async () => [] } as unknown as ControlClient
  async function* source(): AsyncGenerator<FollowEvent> {
    for (let number = 0; number < 200; number += 1) {
      const next_attempt_at = '2026-11-21T12:05:00.000Z'
      yield {
        type: 'delivery',
        delivery: { ...delivery, id: `dlv_${number}`, status: 'pending', next_attempt_at },
      }
    }
    for (const status of ['delivered', 'failed', 'quarantined'] as Delivery['status'][])
      yield { type: 'delivery', delivery: { ...delivery, id: status, status } }
    // Long enough for the reading that the first one has asked for.
    await vi.waitFor(() => expect(readClock).toHaveBeenCalledTimes(2), WAIT_MS)
  }
  try {
    await showDeliveryTail(context, control, source(), new Endpoints(control), {})
  } finally {
    await context.cleanUp()
  }
  expect(readClock).toHaveBeenCalledTimes(2)
  expect(written.join('')).toContain('203 deliveries · 200 pending · 1 failed\n')
})

it('[HOOK-07] shows the health of the endpoints as it changes, and a lost connection', async () => {
  const now = Date.parse(delivery.created_at)
  const { context, written } = onTerminal({ now: () => now, sleep: vi.fn() })
  const endpoint = (id: number, state: string) => ({ id, url: 'http://a', health: { state, since: null } })
  let states = ['paused', 'unused']
  const control = {
    clock: async () => ({ mode: 'manual', now: delivery.created_at }),
    endpoints: async () => states.map((state, at) => endpoint(at + 1, state)),
  } as unknown as ControlClient
  const sees = (text: string) => vi.waitFor(() => expect(written.join('')).toContain(text), WAIT_MS)
  async function* source(): AsyncGenerator<FollowEvent> {
    yield { type: 'connected', again: false }
    await sees('connected · 0 deliveries · endpoint 1 paused · endpoint 2 never used')
    states = ['paused', 'failing']
    yield { type: 'lost', reason: 'connection refused', waitMs: 1000 }
    await sees('connection lost (connection refused), reconnecting in 1 s')
    await sees('endpoint 2 failing · endpoint 1 paused')
  }
  try {
    await showDeliveryTail(context, control, source(), new Endpoints(control), {})
  } finally {
    await context.cleanUp()
  }
})

it.each([
  ['2026-11-21T23:59:59.000Z', '12:00:00Z'],
  ['2026-11-22T00:00:00.000Z', '21 Nov'],
  ['2026-11-20T23:59:59.000Z', '21 Nov'],
])('shows at %s when a delivery was created: %s', (now, text) => {
  const cells = cellsOf(
    liveDeliveryColumns(
      () => Date.parse(now),
      () => '',
    ),
    delivery,
  )
  expect(cells.map(cellText).join(' | ')).toBe(
    `${text} | survey000001 | delivered | 200 | 1.0 s |  |  | test | 1 |  | dlv_1 | test.ping | `,
  )
})
