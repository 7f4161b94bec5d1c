import type { Delivery } from '@formwire/contract/control'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DeliveryLog } from '../../src/state/delivery-log.ts'
import { delivery } from '../delivery.ts'

const ids = (log: DeliveryLog): string[] => log.list.value.map(({ id }) => id)

describe('the delivery log of the console', () => {
  it('adds new deliveries on top and updates a delivery in place', () => {
    const log = new DeliveryLog()
    log.applyChanges([delivery('a'), delivery('b')])
    log.applyChanges([delivery('a', { status: 'delivered' }), delivery('c')])
    expect(ids(log)).toEqual(['c', 'b', 'a'])
    expect(log.get('a')?.status).toBe('delivered')
  })

  it('keeps changes from the stream that are newer than a log in flight', () => {
    const log = new DeliveryLog()
    const mark = log.mark()
    log.applyChanges([delivery('a', { status: 'delivered', attempts: 1 })])
    log.addLogs(new Map([[1, [delivery('a'), delivery('z')]]]), mark)
    expect(log.get('a')?.status).toBe('delivered')
    expect(ids(log)).toEqual(['a', 'z'])
  })

  it('replaces deliveries with a newer log, and removes those that are no longer in it', () => {
    const log = new DeliveryLog()
    log.applyChanges([delivery('a'), delivery('b')])
    log.addLogs(new Map([[1, [delivery('b', { status: 'failed' })]]]), log.mark())
    expect(ids(log)).toEqual(['b'])
    expect(log.get('b')?.status).toBe('failed')
  })

  it('merges the logs of several endpoints by creation time, keeping the order within each', () => {
    const log = new DeliveryLog()
    const at = (minute: number) => ({ created_at: `2026-11-21T12:0${minute}:00.000Z` })
    log.addLogs(
      new Map([
        [1, [delivery('c', at(3)), delivery('a2', at(1)), delivery('a1', at(1))]],
        [2, [delivery('d', { ...at(4), webhook_id: 2 }), delivery('b', { ...at(2), webhook_id: 2 })]],
      ]),
      log.mark(),
    )
    expect(ids(log)).toEqual(['d', 'c', 'b', 'a2', 'a1'])
  })

  it('[DLV-07] keeps the latest 50 of each endpoint', () => {
    const log = new DeliveryLog()
    log.applyChanges([delivery('other', { webhook_id: 2 })])
    for (let number = 1; number <= 60; number++) log.applyChanges([delivery(`e${number}`)])
    expect(log.list.value).toHaveLength(51)
    expect(ids(log).slice(0, 2)).toEqual(['e60', 'e59'])
    expect(ids(log).slice(-2)).toEqual(['e11', 'other'])
  })

  it('[DLV-09] removes finished deliveries after 30 days, and keeps pending ones', () => {
    const log = new DeliveryLog()
    const at = { created_at: '2026-11-21T12:00:00.000Z' }
    log.applyChanges([
      delivery('done', { ...at, status: 'delivered' }),
      delivery('lost', { ...at, status: 'failed', webhook_id: 2 }),
      delivery('open', { ...at, status: 'pending' }),
    ])
    log.removeExpired(Date.parse('2026-12-21T12:00:00.000Z'))
    expect(ids(log)).toEqual(['open', 'lost', 'done'])
    log.removeExpired(Date.parse('2026-12-21T12:00:00.001Z'))
    expect(ids(log)).toEqual(['open'])
    log.applyChanges([delivery('open', { ...at, status: 'delivered' })])
    log.removeExpired(Date.parse('2026-12-22T00:00:00.000Z'))
    expect(ids(log)).toEqual([])
  })

  it('removes the log of an endpoint, and all logs', () => {
    const log = new DeliveryLog()
    log.applyChanges([delivery('a'), delivery('b', { webhook_id: 2 })])
    log.removeEndpoint(1)
    expect(ids(log)).toEqual(['b'])
    log.clear()
    expect(ids(log)).toEqual([])
  })

  it('[HOOK-03] ignores the last changes of a deleted endpoint, but not those of a new one with its id after a reset', () => {
    const log = new DeliveryLog()
    log.applyChanges([delivery('a')])
    log.removeEndpoint(1)
    log.applyChanges([delivery('a', { status: 'failed' }), delivery('b', { webhook_id: 2 })])
    // Nor a log that was requested before.
    log.addLogs(new Map([[1, [delivery('a')]]]), log.mark())
    expect(ids(log)).toEqual(['b'])
    log.clear()
    log.applyChanges([delivery('c')])
    expect(ids(log)).toEqual(['c'])
  })

  it('lists the deliveries of a response together, also when several were created at the same instant', () => {
    const log = new DeliveryLog()
    const to = (webhook_id: number, response_id: number) =>
      delivery(`${response_id}-${webhook_id}`, { webhook_id, response_id })
    const logs = new Map([
      [1, [to(1, 6), to(1, 5)]],
      [2, [to(2, 6), to(2, 5)]],
    ])
    log.addLogs(logs, log.mark())
    expect(ids(log)).toEqual(['6-2', '6-1', '5-2', '5-1'])
  })

  it('matches the state of the server, whatever the order of logs and changes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.boolean()), { maxLength: 40 }),
        (steps) => {
          const log = new DeliveryLog()
          const truth = new Map<string, Delivery>()
          let inFlight: { mark: number; deliveries: Delivery[] } | undefined
          for (const [number, requestsLog] of steps) {
            const id = `e${number}`
            const attempts = (truth.get(id)?.attempts ?? -1) + 1
            truth.set(id, delivery(id, { attempts }))
            log.applyChanges([delivery(id, { attempts })])
            // A log arrives after the changes that follow it.
            if (inFlight) log.addLogs(new Map([[1, inFlight.deliveries]]), inFlight.mark)
            inFlight = requestsLog
              ? { mark: log.mark(), deliveries: [...truth.values()].reverse() }
              : undefined
          }
          expect(ids(log)).toEqual([...truth.keys()].reverse())
          for (const [id, expected] of truth) expect(log.get(id)).toEqual(expected)
        },
      ),
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 100) },
    )
  })
})
