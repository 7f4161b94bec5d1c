import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type UploadRecord, UploadsTable } from '../../src/store/uploads.ts'

const upload = (id: string, more: Partial<UploadRecord> = {}): UploadRecord => ({
  id,
  formId: 'form00000000',
  questionId: null,
  name: `${id}.txt`,
  size: 10,
  uploadedAt: 0,
  responseId: null,
  ...more,
})

const expectSame = (table: UploadsTable, model: readonly UploadRecord[]): void => {
  const sorted = model.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  expect(table.dump().uploads).toEqual(sorted)
  expect(table.totalBytes).toBe(sorted.reduce((sum, { size }) => sum + size, 0))
  for (const by of [1, 2])
    expect(table.ofResponse(by)).toEqual(sorted.filter(({ responseId }) => responseId === by))
}

describe('UploadsTable', () => {
  it('[RESP-04] agrees with a plain list after any puts, claims, deletions, expiries, dumps and forks, on both sides of a fork', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const step = fc.oneof(
      fc.record({ put: id, size: fc.nat(99), at: fc.nat(7_200_000), by: fc.option(fc.constantFrom(1, 2)) }),
      fc.record({ drop: id }),
      fc.record({ dropAllOf: fc.constantFrom(1, 2) }),
      fc.record({ now: fc.nat(9_000_000) }),
      fc.constantFrom('reload' as const, 'fork' as const),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let table = new UploadsTable()
        let model: UploadRecord[] = []
        const forked: [UploadsTable, readonly UploadRecord[]][] = []
        for (const next of steps) {
          if (next === 'fork') {
            forked.push([table, model])
            table = table.fork()
          } else if (next === 'reload')
            table = new UploadsTable().load(JSON.parse(JSON.stringify(table.dump())))
          else if ('put' in next) {
            const record = upload(next.put, { size: next.size, uploadedAt: next.at, responseId: next.by })
            table.put(record)
            model = [...model.filter((known) => known.id !== next.put), record]
          } else if ('drop' in next) {
            table.delete(next.drop)
            model = model.filter((known) => known.id !== next.drop)
          } else if ('dropAllOf' in next) {
            table.deleteOfResponse(next.dropAllOf)
            model = model.filter((known) => known.responseId !== next.dropAllOf)
          } else {
            table.expire(next.now)
            model = model.filter(
              (known) => known.responseId !== null || next.now < known.uploadedAt + 3_600_000,
            )
          }
          expectSame(table, model)
        }
        for (const [origin, then] of forked) expectSame(origin, then)
      }),
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 200) },
    )
  })

  it('drops unclaimed uploads after an hour, and never claimed ones', () => {
    const table = new UploadsTable()
    table.put(upload('a', { uploadedAt: 5 }))
    table.put(upload('b', { responseId: 1 }))
    table.put(upload('c', { uploadedAt: 5 }))
    table.put(upload('d', { uploadedAt: 6 }))
    table.expire(3_600_004)
    expect(table.get('a')?.id).toBe('a')
    table.expire(3_600_005)
    expect(table.dump().uploads.map(({ id }) => id)).toEqual(['b', 'd'])
    table.expire(3_600_006)
    table.expire(3_600_006)
    expect([table.get('b')?.id, table.get('d'), table.totalBytes]).toEqual(['b', undefined, 10])
  })
})
