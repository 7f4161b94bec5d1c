import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { type CheckpointStore, Formwire, memoryCheckpoint, type PollState } from '../../src/index.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type ModelService, readNanoseconds } from '../support/model-service.ts'
import { idsOf } from '../support/poll.ts'
import { arrange, schedule } from '../support/schedules.ts'

const runs = propertyRuns(80, 200)
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
