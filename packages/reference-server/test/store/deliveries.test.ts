import { describe, expect, it } from 'vitest'
import type { DeliveryRecord } from '../../src/domain/delivery.ts'
import { DeliveriesTable } from '../../src/store/deliveries.ts'

const NOW = 1_700_000_000_000

describe('the deliveries table', () => {
  const delivery = (sequence: number, changes: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
    sequence,
    id: `dlv_AAAAAAAAAAAAAAAAAAAA${sequence.toString(36)}`,
    endpointId: 1,
    formId: 'formsurvey01',
    event: 'response.submitted',
    responseId: 1,
    body: Buffer.from('{"event":"x"}'),
    status: 'pending',
    attempts: [],
    nextAttemptAt: NOW,
    stopNote: null,
    note: null,
    createdAt: NOW,
    ...changes,
  })
  const finished = (sequence: number, changes: Partial<DeliveryRecord> = {}) =>
    delivery(sequence, { status: 'delivered', nextAttemptAt: null, ...changes })
  const sequences = (deliveries: readonly DeliveryRecord[]) => deliveries.map(({ sequence }) => sequence)

  it('finds a delivery by its whole id', () => {
    const table = new DeliveriesTable()
    table.put(delivery(1))
    for (const id of ['dlv_BBBBBBBBBBBBBBBBBBBB1', 'dlv_AAAAAAAAAAAAAAAAAAAA1 ', 'dlv_1', '1', ''])
      expect([id, table.find(id, NOW)]).toEqual([id, undefined])
    expect(table.find('dlv_AAAAAAAAAAAAAAAAAAAA1', NOW)?.sequence).toBe(1)
  })

  it('[DLV-06] yields due deliveries in order, after a key', () => {
    const table = new DeliveriesTable()
    table.put(delivery(3, { nextAttemptAt: NOW }))
    table.put(delivery(1, { nextAttemptAt: NOW + 5 }))
    table.put(delivery(2, { nextAttemptAt: NOW }))
    const after = (at: number, sequence: number) =>
      [...table.dueAfter({ nextAttemptAt: at, sequence })].map((due) => due.sequence)
    expect([after(0, 0), after(NOW, 2), after(NOW, 3), after(NOW + 5, 1)]).toEqual([
      [2, 3, 1],
      [3, 1],
      [1],
      [],
    ])
    table.put(delivery(2, { nextAttemptAt: NOW + 9 }))
    expect([after(0, 0), table.pendingCount]).toEqual([[3, 1, 2], 3])
    table.put(finished(3))
    expect([after(0, 0), table.pendingCount]).toEqual([[1, 2], 2])
  })

  it('[DLV-07] keeps 250 finished deliveries per endpoint, checking at every 50th', () => {
    const table = new DeliveriesTable()
    const put = (sequence: number, endpointId = 2) => table.put(finished(sequence, { endpointId }))
    put(1, 1)
    put(2, 3)
    for (let sequence = 3; sequence <= 351; sequence += 1) put(sequence)
    put(351)
    const kept = () => table.dump().deliveries.map(({ sequence }) => sequence)
    expect([kept().length, kept().slice(0, 4)]).toEqual([301, [1, 2, 53, 54]])
    put(352)
    expect([kept().length, kept().slice(0, 4)]).toEqual([252, [1, 2, 103, 104]])
    expect(sequences(table.log(2, NOW))).toEqual(Array.from({ length: 50 }, (_, index) => 352 - index))
    expect([sequences(table.log(1, NOW)), sequences(table.log(3, NOW))]).toEqual([[1], [2]])
  })

  it('[DLV-02] lists pending deliveries by endpoint and response, oldest first, and no ping by response', () => {
    const table = new DeliveriesTable()
    for (const sequence of [2, 1, 3]) table.put(delivery(sequence, { responseId: 7 }))
    table.put(delivery(4, { endpointId: 2, responseId: 7 }))
    table.put(delivery(5, { responseId: 8 }))
    table.put(delivery(6, { event: 'test.ping', responseId: 0 }))
    expect(sequences(table.pendingOfEndpoint(1))).toEqual([1, 2, 3, 5, 6])
    expect([sequences(table.pendingOfResponse(7)), table.pendingOfResponse(0)]).toEqual([[1, 2, 3, 4], []])
    table.put(finished(1, { responseId: 7 }))
    table.put(finished(6, { event: 'test.ping', responseId: 0 }))
    expect(sequences(table.pendingOfEndpoint(1))).toEqual([2, 3, 5])
    expect([sequences(table.pendingOfResponse(7)), sequences(table.log(1, NOW))]).toEqual([
      [2, 3, 4],
      [6, 5, 3, 2, 1],
    ])
  })

  it('writes bodies as text', () => {
    const table = new DeliveriesTable()
    table.put(delivery(1))
    table.put(finished(2, { body: null }))
    const dump = table.dump()
    expect(dump.deliveries.map(({ body }) => body)).toEqual(['{"event":"x"}', null])
    const loaded = new DeliveriesTable().load(dump)
    expect(loaded.get(1)?.body).toEqual(Buffer.from('{"event":"x"}'))
    expect(loaded.get(2)?.body).toBeNull()
  })
})
