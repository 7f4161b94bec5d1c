import { isFormwireError, memoryCheckpoint } from '@formwire/sdk'
import { createDedupe, createMemoryStore } from '@formwire/webhook-verify/dedupe'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { createInbox, type SubmittedEvent } from '../../src/inbox/index.ts'
import { Crash, Lifetime } from '../support/crash.ts'
import { mortalClient } from '../support/schedules.ts'
import { passingClock, type Service, startService } from '../support/service.ts'
import { type Drawn, drawn, pick, share } from '../support/steps.ts'

const CLAIM_MS = 300_000

const life = fc.oneof(fc.constant(100_000), fc.integer({ min: 0, max: 40 }))
const fails = fc.constantFrom(false, false, false, true)
/** One step. A delivery is one of a response submitted before, so that it is lost, doubled or late by chance. */
const step = fc.oneof(
  drawn(1, 'submit', { count: fc.integer({ min: 1, max: 6 }) }),
  drawn(2, 'deliver', { which: share, life, fails }),
  drawn(1, 'poll', { life, between: fc.nat(2), fails }),
  drawn(1, 'both', { which: share, lives: fc.tuple(life, life) }),
  drawn(1, 'delete', { which: share }),
  drawn(1, 'advance', { ms: fc.constantFrom(0, 1, 1000, 60_000, CLAIM_MS) }),
)

const schedule = fc.record({
  steps: fc.array(step, { minLength: 2, maxLength: 14, size: 'max' }),
  perPage: fc.integer({ min: 1, max: 4 }),
  pagePastEnd: fc.constantFrom('empty' as const, '422' as const),
  timestamps: fc.constantFrom('milliseconds' as const, 'seconds' as const, 'offset' as const),
})

describe('the inbox under chaos', () => {
  const runs = propertyRuns(10, 25)

  it(`[DLV-10, POLL-02] handles each response once in ${runs} schedules of lost, doubled and late deliveries and of crashes`, async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async ({ steps, perPage, ...unspecified }) => {
        const service = await startService({ unspecified })
        try {
          await runSchedule(service, steps, perPage)
        } finally {
          await service.server.close()
        }
      }),
      { numRuns: runs },
    )
  })
})

async function runSchedule(
  service: Service,
  steps: readonly Drawn<typeof step>[],
  perPage: number,
): Promise<void> {
  const { app, clock } = service.server
  const form = service.form()
  const now = (): number => clock.now()
  const events: SubmittedEvent[] = []
  // What outlives every process.
  const claims = createMemoryStore(now)
  const checkpoint = memoryCheckpoint()
  /** Calls of the handler that returned, by response. */
  const done = new Map<number, number>()
  /** Calls of the handler that returned but whose process died before that was recorded, by response. */
  const interrupted = new Map<number, number>()
  const add = (counts: Map<number, number>, id: number, count: number): void =>
    void counts.set(id, (counts.get(id) ?? 0) + count)

  const submit = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const submitted_at = new Date(now()).toISOString()
      const { id } = app.responses.create(form, { submitted_at, answers: [] })
      const response = { id, submitted_at, answers: [], score: null, max_score: null, meta: {} }
      events.push({ form: { id: form, title: 'Survey' }, response } as SubmittedEvent)
    }
  }

  const instance = (steps: number, fails: boolean) => {
    const life = new Lifetime(steps)
    let failuresLeft = fails ? 1 : 0
    let unrecorded: number | undefined
    const mortal =
      <Call extends unknown[], Result>(call: (...given: Call) => Promise<Result> | Result) =>
      async (...given: Call): Promise<Result> => {
        life.step()
        const result = await call(...given)
        life.step()
        return result
      }
    return createInbox({
      formwire: mortalClient(service, life, (request) => service.before?.(request)),
      forms: [form],
      per_page: perPage,
      dedupe: createDedupe(
        {
          claim: mortal(claims.claim),
          release: mortal(claims.release),
          async complete(keys, owner, keepMs) {
            life.step()
            const completed = await claims.complete(keys, owner, keepMs)
            // Recorded, whatever happens to the process from here on.
            const id = unrecorded
            if (id !== undefined && keys.some((key) => key.includes('inbox:handled:'))) {
              add(interrupted, id, -1)
              unrecorded = undefined
            }
            life.step()
            return completed
          },
        },
        { claimMs: CLAIM_MS },
      ),
      checkpoint: { load: mortal(checkpoint.load), save: mortal(checkpoint.save) },
      handle: async ({ id }) => {
        life.step()
        await Promise.resolve()
        if (failuresLeft > 0) {
          failuresLeft -= 1
          throw new Error('handler failed')
        }
        life.step()
        add(done, id, 1)
        add(interrupted, id, 1)
        unrecorded = id
      },
      clock: passingClock(service),
    })
  }
  /** Runs until it ends, fails or dies. */
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => {
      const messages = ['handler failed', 'handled elsewhere', 'checked elsewhere']
      const isExpected =
        error instanceof Crash ||
        (error as Error).cause instanceof Crash ||
        isFormwireError(error) ||
        messages.some((message) => (error as Error).message.includes(message))
      if (!isExpected) throw error
    })
  }
  const deliver = async (inbox: ReturnType<typeof instance>, event: SubmittedEvent): Promise<void> =>
    await attempt(inbox.handlers['response.submitted'](event))

  for (const one of steps) {
    if (one.do === 'submit') submit(one.count)
    else if (one.do === 'deliver') {
      const event = pick(events, one.which)
      if (event) await deliver(instance(one.life, one.fails), event)
    } else if (one.do === 'poll') {
      let left = one.between
      service.before = () => {
        left -= 1
        if (left >= 0) submit(1)
      }
      await attempt(instance(one.life, one.fails).once())
    } else if (one.do === 'both') {
      const event = pick(events, one.which)
      const polling = attempt(instance(one.lives[0], false).once())
      if (event) await deliver(instance(one.lives[1], false), event)
      await polling
    } else if (one.do === 'delete') {
      const event = pick(events, one.which)
      const exists = app.responses
        .list(form, 'submitted', 0, 10_000)
        .items.some(({ id }) => id === event?.response.id)
      if (event && exists) app.responses.delete(form, event.response.id)
    } else await clock.advance(one.ms)
    service.before = undefined
  }

  // Processes that live on: the poll catches up, and every delivery comes once more.
  await instance(1_000_000, false).once()
  for (const event of events)
    if (done.has(event.response.id)) await deliver(instance(1_000_000, false), event)
  const missing = service.submitted(form).filter((id) => !done.has(id))
  expect(missing, 'no response lost').toEqual([])
  const repeated = [...done].filter(([id, count]) => count > 1 + (interrupted.get(id) ?? 0))
  expect(repeated, 'no response twice, unless a process died between the handler and its record').toEqual([])
}
