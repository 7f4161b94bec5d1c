import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DeliveryLog } from '../../src/console/client/state/delivery-log.ts'
import type { Delivery } from '../../src/console/client/types.ts'

const entry = (id: string, changes: Partial<Delivery> = {}): Delivery => ({
  id,
  event: 'response.submitted',
  status: 'pending',
  response_id: 1,
  payload: {},
  http_status: null,
  receiver_answer: null,
  attempts: 0,
  next_attempt_at: null,
  note: null,
  created_at: '2026-11-21T12:00:00.000Z',
  form_id: 'guestvoice01',
  webhook_id: 1,
  ...changes,
})

const ids = (log: DeliveryLog): string[] => log.list.value.map(({ id }) => id)

describe('the delivery log of the console', () => {
  it('puts arrivals on top and changes an entry in its place', () => {
    const log = new DeliveryLog()
    log.applyChanges([entry('a'), entry('b')])
    log.applyChanges([entry('a', { status: 'delivered' }), entry('c')])
    expect(ids(log)).toEqual(['c', 'b', 'a'])
    expect(log.get('a')?.status).toBe('delivered')
  })

  it('keeps what the stream said while an older log was on its way', () => {
    const log = new DeliveryLog()
    const mark = log.mark()
    log.applyChanges([entry('a', { status: 'delivered', attempts: 1 })])
    log.addLogs(new Map([[1, [entry('a'), entry('z')]]]), mark)
    expect(log.get('a')?.status).toBe('delivered')
    expect(ids(log)).toEqual(['a', 'z'])
  })

  it('takes a log asked for later, and lets go of what is no longer in it', () => {
    const log = new DeliveryLog()
    log.applyChanges([entry('a'), entry('b')])
    log.addLogs(new Map([[1, [entry('b', { status: 'failed' })]]]), log.mark())
    expect(ids(log)).toEqual(['b'])
    expect(log.get('b')?.status).toBe('failed')
  })

  it('orders the logs of several endpoints by creation, each in its own order', () => {
    const log = new DeliveryLog()
    const at = (minute: number) => ({ created_at: `2026-11-21T12:0${minute}:00.000Z` })
    log.addLogs(
      new Map([
        [1, [entry('c', at(3)), entry('a2', at(1)), entry('a1', at(1))]],
        [2, [entry('d', { ...at(4), webhook_id: 2 }), entry('b', { ...at(2), webhook_id: 2 })]],
      ]),
      log.mark(),
    )
    expect(ids(log)).toEqual(['d', 'c', 'b', 'a2', 'a1'])
  })

  it('[DLV-07] keeps the latest 50 of each endpoint', () => {
    const log = new DeliveryLog()
    log.applyChanges([entry('other', { webhook_id: 2 })])
    for (let number = 1; number <= 60; number++) log.applyChanges([entry(`e${number}`)])
    expect(log.list.value).toHaveLength(51)
    expect(ids(log).slice(0, 2)).toEqual(['e60', 'e59'])
    expect(ids(log).slice(-2)).toEqual(['e11', 'other'])
  })

  it('forgets a deleted endpoint and everything at a reset', () => {
    const log = new DeliveryLog()
    log.applyChanges([entry('a'), entry('b', { webhook_id: 2 })])
    log.forgetEndpoint(1)
    expect(ids(log)).toEqual(['b'])
    log.clear()
    expect(ids(log)).toEqual([])
  })

  it('ends as the server does, however logs and changes interleave', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.boolean()), { maxLength: 40 }),
        (steps) => {
          const log = new DeliveryLog()
          const truth = new Map<string, Delivery>()
          let late: { mark: number; entries: Delivery[] } | undefined
          for (const [number, asksForLog] of steps) {
            const id = `e${number}`
            const attempts = (truth.get(id)?.attempts ?? -1) + 1
            truth.set(id, entry(id, { attempts }))
            log.applyChanges([entry(id, { attempts })])
            // The answer of one log arrives after the changes that follow it.
            if (late) log.addLogs(new Map([[1, late.entries]]), late.mark)
            late = asksForLog ? { mark: log.mark(), entries: [...truth.values()].reverse() } : undefined
          }
          expect(ids(log)).toEqual([...truth.keys()].reverse())
          for (const [id, expected] of truth) expect(log.get(id)).toEqual(expected)
        },
      ),
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 100) },
    )
  })
})
