import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { type CheckpointStore, Formwire, memoryCheckpoint, type PollState } from '../../src/index.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type Format, formats, ModelService, readNanoseconds } from '../support/model-service.ts'
import { idsOf } from '../support/poll.ts'

const runs = propertyRuns(80, 200)
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

const schedule = fc
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
function arrange(plan: { format: Format; pastEnd: 'empty' | '422'; initial: bigint[]; changes: Change[][] }) {
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

const client = (model: ModelService, clock = new ManualClock()): Formwire =>
  new Formwire({ apiKey: 'svc_k', transport: model.transport, rateLimit: false, clock })

const pollOnce = (formwire: Formwire, { perPage }: { perPage: number }, checkpoint: CheckpointStore) =>
  formwire.responses.poll('abcdefghijkl', { once: true, checkpoint, per_page: perPage })

function expectAll(model: ModelService, given: ReadonlySet<number>): void {
  const missing = model.rows.map(({ id }) => id).filter((id) => !given.has(id))
  expect(missing, 'no response lost').toEqual([])
}

const text = (response: { submitted_at: string | null }): string => response.submitted_at as string

describe('polling while the list changes', () => {
  it('[POLL-01, POLL-02] yields every response that is not deleted once and oldest first, in any schedule of inserts and deletes', async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async (plan) => {
        const model = arrange(plan)
        const instants = new Map<number, bigint>()
        const checkpoint = memoryCheckpoint()
        const formwire = client(model)
        const given: number[] = []
        let rounds = 0
        // One round follows another until the schedule is through and nothing is left: one long run in short turns.
        while (rounds === 0 || model.requests <= plan.changes.length) {
          const turn: number[] = []
          for await (const response of pollOnce(formwire, plan, checkpoint)) {
            turn.push(response.id)
            instants.set(response.id, readNanoseconds(text(response)))
          }
          const times = turn.map((id) => instants.get(id) as bigint)
          expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
          given.push(...turn)
          rounds += 1
        }
        await idsOf(pollOnce(formwire, plan, checkpoint), given)
        const all = new Set(given)
        expect(all.size, 'no response twice').toBe(given.length)
        expectAll(model, all)
      }),
      { numRuns: runs },
    )
  })

  it('[POLL-02] yields every response at least once across crashes, and repeats only those not handled completely', async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async (plan) => {
        const model = arrange(plan)
        const states = new Map<string, string>()
        const checkpoint = {
          load: (key: string) => JSON.parse(states.get(key) ?? 'null') as PollState | null,
          save: (key: string, state: PollState) => {
            states.set(key, JSON.stringify(state))
          },
        }
        const given: number[] = []
        const handled = new Set<number>()
        const runOnce = async (dieAfter: number): Promise<void> => {
          // A new process: nothing but the checkpoint is left of the one before.
          const poll = pollOnce(client(model), plan, checkpoint)
          for (let count = 0; ; count += 1) {
            const { value, done } = await poll.next()
            if (done) return
            expect(handled.has(value.id), `response ${value.id} was handled before`).toBe(false)
            given.push(value.id)
            // Killed: no return(), no finally; the response in hand is not handled.
            if (count === dieAfter) return
            handled.add(value.id)
          }
        }
        for (const dieAfter of plan.crashes) await runOnce(dieAfter)
        while (model.requests <= plan.changes.length) await runOnce(Number.POSITIVE_INFINITY)
        await runOnce(Number.POSITIVE_INFINITY)
        expectAll(model, handled)
      }),
      { numRuns: Math.ceil(runs / 4) },
    )
  })

  it('[POLL-02] yields every response once while its checkpoint store fails and across restarts', async () => {
    const outages = fc.array(fc.constantFrom('none', 'none', 'down', 'replyLost'), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(schedule, outages, async (plan, outages) => {
        const model = arrange(plan)
        const states = new Map<string, string>()
        let calls = 0
        const call = (effect: () => void): void => {
          const outage = outages[calls] ?? 'none'
          calls += 1
          if (outage === 'down') throw new Error('connect ECONNREFUSED')
          effect()
          if (outage === 'replyLost') throw new Error('read ECONNRESET')
        }
        const checkpoint = {
          load: (key: string) => {
            call(() => {})
            return JSON.parse(states.get(key) ?? 'null') as PollState | null
          },
          save: (key: string, state: PollState) => call(() => void states.set(key, JSON.stringify(state))),
        }
        const handled = new Set<number>()
        const run = async (dieAfter: number): Promise<void> => {
          const clock = new ManualClock()
          const stop = new AbortController()
          const poll = client(model, clock).responses.poll('abcdefghijkl', {
            checkpoint,
            per_page: plan.perPage,
            signal: stop.signal,
          })
          for (let count = 0; ; count += 1) {
            // Longer than all outages together: nothing is left.
            const cancel = clock.setTimer(() => stop.abort(), 15 * 60_000)
            const { value, done } = await clock.runUntil(poll.next())
            cancel()
            if (done) return
            expect(handled.has(value.id), `response ${value.id} was handled before`).toBe(false)
            if (count === dieAfter) return
            handled.add(value.id)
          }
        }
        for (const dieAfter of plan.crashes) await run(dieAfter)
        await run(Number.POSITIVE_INFINITY)
        expectAll(model, handled)
      }),
      { numRuns: Math.ceil(runs / 20) },
    )
  })
})
