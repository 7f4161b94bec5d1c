import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { Formwire, type PollState, type WalkOptions } from '../../src/index.ts'
import { ModelService } from '../support/model-service.ts'
import { arrange, schedule } from '../support/schedules.ts'

const change = fc.record({
  kind: fc.constantFrom('insert' as const, 'remove' as const, 'touch' as const),
  where: fc.double({ min: 0, max: 1, noNaN: true }),
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

const responses = (order: 'oldest' | 'newest') => (formwire: Formwire, perPage: number) =>
  (async function* () {
    for await (const { response } of formwire.responses.walk('abc', { order, perPage })) yield response
  })()

describe('lists', () => {
  it.each([
    [
      'responses.list()',
      false,
      (formwire: Formwire, per_page: number) => formwire.responses.list('abc', { per_page }),
    ],
    ['responses.walk(), newest first', false, responses('newest')],
    ['responses.walk(), oldest first', false, responses('oldest')],
    ['forms.list()', true, (formwire: Formwire, per_page: number) => formwire.forms.list({ per_page })],
  ])(
    '[ENV-06, FORM-01, RESP-01] %s yields every item that is not deleted once, in any schedule',
    async (_name, isMoving, list) => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: 40 }),
          fc.integer({ min: 1, max: 4 }),
          fc.constantFrom('empty' as const, '422' as const),
          fc.array(fc.array(change, { maxLength: 4 }), { maxLength: isMoving ? 20 : 40 }),
          async (count, perPage, pastEnd, changes) => {
            const model = new ModelService()
            model.fill(Array.from({ length: count }, (_, index) => BigInt(index) * 1_000_000n))
            model.pastEnd = pastEnd
            let now = 1_000_000_000n
            const before = model.rows.map(({ id }) => id)
            const apply = ({ kind, where }: Change): void => {
              now += 1_000_000n
              const index = Math.floor(where * model.rows.length)
              if (kind === 'insert') model.insert(now)
              else if (kind === 'touch' && isMoving) model.touch(index, now)
              else model.remove(index)
            }
            model.beforeAnswer = (request) => {
              for (const one of changes[request - 2] ?? []) apply(one)
            }
            const formwire = new Formwire({ apiKey: 'svc_k', transport: model.transport, rateLimit: false })
            const given: number[] = []
            try {
              for await (const { id } of list(formwire, perPage)) given.push(Number(id))
            } catch (error) {
              // Said, not lost in silence.
              expect((error as Error).message).toMatch(isMoving ? /move faster/ : /^$/)
              return
            }
            expect(new Set(given).size).toBe(given.length)
            const left = new Set(model.rows.map(({ id }) => id))
            expect(before.filter((id) => left.has(id) && !given.includes(id))).toEqual([])
          },
        ),
        { numRuns: propertyRuns(60, 150) },
      )
    },
  )
})

describe('responses.walk()', () => {
  it.each(['oldest', 'newest'] as const)(
    '[POLL-02, RESP-01] yields, %s first, what is there from start to end once, wherever it is interrupted',
    async (order) => {
      await fc.assert(
        fc.asyncProperty(schedule, async (plan) => {
          const model = arrange(plan)
          const before = model.rows.map(({ id }) => id)
          const formwire = new Formwire({ apiKey: 'svc_k', transport: model.transport, rateLimit: false })
          const given: number[] = []
          const times: number[] = []
          let from: PollState | undefined
          for (const stop of [...plan.crashes, Number.POSITIVE_INFINITY]) {
            const until = given.length + stop
            const options: WalkOptions = { order, perPage: plan.perPage, from }
            for await (const { response, position } of formwire.responses.walk('abc', options)) {
              if (given.length === until) break
              given.push(response.id)
              times.push(Date.parse(response.submitted_at as string))
              from = JSON.parse(JSON.stringify(position)) as PollState
            }
          }
          expect(new Set(given).size).toBe(given.length)
          expect(times).toEqual(times.toSorted((a, b) => (order === 'oldest' ? a - b : b - a)))
          const left = new Set(model.rows.map(({ id }) => id))
          expect(before.filter((id) => left.has(id) && !given.includes(id))).toEqual([])
        }),
        { numRuns: propertyRuns(40, 80) },
      )
    },
  )
})
