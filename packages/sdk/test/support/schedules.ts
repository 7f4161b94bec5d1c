import fc from 'fast-check'
import { type Format, formats, ModelService } from './model-service.ts'

const START = 1_790_000_000_000_000_000n

/** What happens to the list between two requests. */
type Change =
  | { kind: 'insert'; later: bigint; count: number }
  | { kind: 'delete'; where: number; count: number }

/** Steps from one instant to the next, in nanoseconds: ties are the common case. */
const step = (unit: bigint) => fc.constantFrom(0n, 0n, 0n, 1n, 2n, 1000n).map((steps) => steps * unit)

const change = (unit: bigint): fc.Arbitrary<Change> =>
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
  )

/** A list, how it changes before each response, and where its consumer stops. */
export const schedule = fc
  .constantFrom<[Format, bigint]>(
    [formats.milliseconds, 1_000_000n],
    [formats.microseconds, 1000n],
    [formats.nanoseconds, 1n],
    [formats.offset, 1n],
    [formats.elsewhere, 1n],
    [formats.mixed, 1n],
    [formats.seconds, 1_000_000_000n],
    // The service keeps milliseconds and shows whole seconds.
    [formats.seconds, 1_000_000n],
  )
  .chain(([format, unit]) =>
    fc.record({
      format: fc.constant(format),
      perPage: fc.integer({ min: 1, max: 5 }),
      pastEnd: fc.constantFrom('empty' as const, '422' as const),
      // With one row a page, more than 25 of them make a backlog that is read in blocks.
      initial: fc.oneof(
        fc.array(step(unit), { maxLength: 30 }),
        fc.array(step(unit), { minLength: 60, maxLength: 160, size: 'max' }),
      ),
      changes: fc.array(fc.array(change(unit), { maxLength: 3 }), { maxLength: 60, size: 'max' }),
      /** After how many responses each run of the consumer dies, without asking for the next. */
      crashes: fc.array(fc.integer({ min: 0, max: 25 }), { maxLength: 3 }),
    }),
  )

/** A service whose list changes before each request according to the schedule. */
export function arrange(plan: {
  format: Format
  pastEnd: 'empty' | '422'
  initial: bigint[]
  changes: Change[][]
}) {
  const model = new ModelService(plan.format)
  model.pastEnd = plan.pastEnd
  let now = START
  model.fill(
    plan.initial.map((later) => {
      now += later
      return now
    }),
  )
  const apply = (one: Change): void => {
    for (let count = 0; count < one.count; count += 1) {
      if (one.kind === 'insert') {
        now += count === 0 ? one.later : 0n
        model.insert(now)
      } else model.remove(Math.floor(one.where * model.rows.length))
    }
  }
  model.beforeAnswer = (request) => {
    for (const one of plan.changes[request - 1] ?? []) apply(one)
  }
  return model
}
