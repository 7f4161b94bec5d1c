import type { FormResponse } from '@formwire/contract'
import { Formwire, type PollState } from '@formwire/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { type Format, formats, ModelService } from '../../../sdk/test/support/model-service.ts'
import { newestFirst, type Stop } from '../../src/export/newest-first.ts'
import { type ListFrom, oldestFirst } from '../../src/export/oldest-first.ts'
import { instantOf } from '../../src/export/position.ts'

const runs = propertyRuns(80, 1500)
const START = 1_790_000_000_000_000_000n
const FORM = 'abcdefghijkl'

/** What happens to the list between two requests. */
type Change =
  | { kind: 'insert'; later: bigint; count: number }
  | { kind: 'delete'; where: number; count: number }

const step = (unit: bigint) => fc.constantFrom(0n, 0n, 1n, 2n, 1000n).map((steps) => steps * unit)

const plans = fc
  .constantFrom<[Format, bigint]>(
    [formats.milliseconds, 1_000_000n],
    [formats.microseconds, 1000n],
    [formats.offset, 1n],
    [formats.elsewhere, 1n],
    [formats.mixed, 1n],
    // The service keeps milliseconds and shows whole seconds.
    [formats.seconds, 1_000_000n],
  )
  .chain(([format, unit]) =>
    fc.record({
      format: fc.constant(format),
      perPage: fc.integer({ min: 1, max: 5 }),
      pastEnd: fc.constantFrom('empty' as const, '422' as const),
      initial: fc.array(step(unit), { maxLength: 120, size: 'max' }),
      changes: fc.array(
        fc.array(
          fc.oneof(
            fc.record({
              kind: fc.constant('insert' as const),
              later: step(unit),
              count: fc.integer({ min: 1, max: 7 }),
            }),
            fc.record({
              kind: fc.constant('delete' as const),
              where: fc.double({ min: 0, max: 1, noNaN: true }),
              count: fc.integer({ min: 1, max: 7 }),
            }),
          ),
          { maxLength: 3 },
        ),
        { maxLength: 40, size: 'max' },
      ),
      /** Blocks after which the first run is interrupted. */
      blocks: fc.integer({ min: 0, max: 6 }),
      /** Pages of the first block. */
      span: fc.constantFrom(1, 1, 2, 5, 60),
    }),
  )

interface World {
  model: ModelService
  list: ListFrom
  /** Ids of the responses that were there at the start, oldest first. */
  atStart: number[]
  deleted: Set<number>
}

/** A service whose list changes before each response as planned. */
function worldOf({
  format,
  perPage,
  pastEnd,
  initial,
  changes,
}: {
  format: Format
  perPage: number
  pastEnd: 'empty' | '422'
  initial: bigint[]
  changes: Change[][]
}): World {
  const model = new ModelService(format)
  model.pastEnd = pastEnd
  let now = START
  model.fill(
    initial.map((later) => {
      now += later
      return now
    }),
  )
  const deleted = new Set<number>()
  const atStart = model.rows.map(({ id }) => id).reverse()
  model.beforeAnswer = (request) => {
    for (const change of changes[request - 1] ?? []) {
      if (change.kind === 'delete') {
        for (let count = 0; count < change.count; count += 1) {
          const row = model.remove(Math.floor(change.where * model.rows.length))
          if (row) deleted.add(row.id)
        }
        continue
      }
      for (let count = 0; count < change.count; count += 1) {
        now += count === 0 ? change.later : 0n
        model.insert(now)
      }
    }
  }
  const client = new Formwire({ apiKey: 'svc_k', transport: model.transport, rateLimit: false })
  const list: ListFrom = (since, page) =>
    client.responses.list(FORM, { ...(since === undefined ? {} : { since }), page, per_page: perPage })
  return { model, list, atStart, deleted }
}

/** Reads up to `blocks` blocks, and returns the responses with the position after the last one, as a part file has it. */
async function take(pages: AsyncIterable<FormResponse[]>, blocks = Number.POSITIVE_INFINITY) {
  const rows: FormResponse[] = []
  let left = blocks
  for await (const page of pages) {
    if (left === 0) break
    left -= 1
    rows.push(...page)
  }
  return rows
}

function stateOf(rows: readonly FormResponse[]): PollState | undefined {
  const last = rows.at(-1)
  if (!last) return undefined
  const ids = rows.filter((row) => instantOf(row) === instantOf(last)).map(({ id }) => id)
  return { version: 1, since: last.submitted_at ?? '', ids }
}

describe('an export while responses are added and deleted', () => {
  it('has every response once, oldest first, also after an interruption', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { list, atStart, deleted } = worldOf(plan)
        let read = 0
        const onRead = () => {
          read += 1
        }
        const { span } = plan
        const start = { since: undefined, state: undefined, newest: list(undefined, 1), span }
        const first = await take(oldestFirst(list, start, onRead), plan.blocks)
        const state = stateOf(first)
        const again = { since: undefined, state, newest: list(state?.since, 1), span }
        const rows = [...first, ...(await take(oldestFirst(list, again, onRead)))]
        const ids = rows.map(({ id }) => id)
        expect(ids).toEqual([...new Set(ids)])
        expect(rows.map(instantOf)).toEqual(rows.map(instantOf).sort())
        expect(atStart.filter((id) => !deleted.has(id) && !ids.includes(id))).toEqual([])
        expect(read).toBeGreaterThanOrEqual(rows.length)
      }),
      { numRuns: runs },
    )
  })

  it('has every response once, newest first, also after an interruption', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { list, atStart, deleted } = worldOf(plan)
        const read = (stop: Stop | undefined) =>
          take(
            newestFirst(
              list,
              { since: undefined, newest: list(undefined, 1), stop, areDrafts: false },
              () => undefined,
            ),
          )
        // The lists of this test are too short for several pages of an export.
        const first = (await read(undefined)).slice(0, plan.blocks * plan.perPage)
        const state = stateOf(first)
        const rows = [...first, ...(await read(state && { count: first.length, state }))]
        const ids = rows.map(({ id }) => id)
        expect(ids).toEqual([...new Set(ids)])
        expect(rows.map(instantOf)).toEqual(rows.map(instantOf).sort().reverse())
        expect(atStart.filter((id) => !deleted.has(id) && !ids.includes(id))).toEqual([])
      }),
      { numRuns: runs },
    )
  })
})

describe('an export oldest first', () => {
  const requestsFor = async (count: number, span?: number) => {
    const { model, list } = worldOf({
      format: formats.milliseconds,
      perPage: 100,
      pastEnd: 'empty',
      initial: Array.from({ length: count }, () => 1_000_000n),
      changes: [],
    })
    const at: number[] = []
    for await (const block of oldestFirst(
      list,
      { since: undefined, state: undefined, newest: list(undefined, 1), ...(span && { span }) },
      () => undefined,
    )) {
      at.push(model.requests)
      expect(block.length).toBeGreaterThan(0)
    }
    return { requests: model.requests, firstAt: at[0] }
  }

  it.each([
    [0, { requests: 1, firstAt: undefined }],
    [100, { requests: 1, firstAt: 1 }],
    [101, { requests: 4, firstAt: 2 }],
    [2_500, { requests: 30, firstAt: 2 }],
    // Six percent more requests than pages.
    [100_000, { requests: 1_066, firstAt: 2 }],
  ])(
    'of %i responses has the first ones after two requests and few requests overall',
    async (count, expected) => {
      expect(await requestsFor(count)).toEqual(expected)
    },
  )

  it('in one block reads each page once', async () => {
    expect(await requestsFor(950, 11)).toEqual({ requests: 10, firstAt: 10 })
    // The newest page, which has the total, and the oldest three.
    expect(await requestsFor(950, 3)).toMatchObject({ firstAt: 4 })
  })

  it('reads any number of responses of one instant', async () => {
    const { list } = worldOf({
      format: formats.seconds,
      perPage: 10,
      pastEnd: '422',
      initial: Array.from({ length: 1_000 }, () => 0n),
      changes: [],
    })
    const rows = await take(
      oldestFirst(list, { since: undefined, state: undefined, newest: list(undefined, 1) }, () => undefined),
    )
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1_000)
  })
})
