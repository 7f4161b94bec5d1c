import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { Formwire } from '../../src/index.ts'
import { ModelService } from '../support/model-service.ts'

describe('pages', () => {
  it('[ENV-06] yields every item that is not deleted once, in any schedule of inserts and deletes', async () => {
    const change = fc.record({ insert: fc.boolean(), where: fc.double({ min: 0, max: 1, noNaN: true }) })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('empty' as const, '422' as const),
        fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 40 }),
        async (count, perPage, pastEnd, changes) => {
          const model = new ModelService()
          model.fill(Array.from({ length: count }, (_, index) => BigInt(index) * 1_000_000n))
          model.pastEnd = pastEnd
          let now = 1_000_000_000n
          const before = model.rows.map(({ id }) => id)
          let started = false
          model.beforeAnswer = (request) => {
            if (!started) {
              started = true
              return
            }
            for (const { insert, where } of changes[request - 2] ?? []) {
              now += 1n
              if (insert) model.insert(now)
              else model.remove(Math.floor(where * model.rows.length))
            }
          }
          const formwire = new Formwire({ apiKey: 'svc_k', transport: model.transport, rateLimit: false })
          const given: number[] = []
          for await (const { id } of formwire.responses.list('abc', { per_page: perPage })) given.push(id)
          expect(new Set(given).size).toBe(given.length)
          const left = new Set(model.rows.map(({ id }) => id))
          expect(before.filter((id) => left.has(id) && !given.includes(id))).toEqual([])
        },
      ),
      { numRuns: propertyRuns(200, 2000) },
    )
  })
})
