import type { FormResponse } from '@formwire/contract'
import fc from 'fast-check'
import { expect } from 'vitest'
import { propertyRuns } from '../../../test/support/cases.ts'
import { createSync, type RowChange, type Sync } from '../src/index.ts'
import { toOutbox } from './process/outbox.ts'
import { Crash, Lifetime, mortalStore } from './support/crash.ts'
import { describeDrawn, mortalClient } from './support/schedules.ts'
import { clockOf, type Service } from './support/service.ts'
import { type Drawn, drawn, pick, share } from './support/steps.ts'
import type { TestDatabase } from './support/stores.ts'
import { expectForms, expectOutbox, expectResponses, readApi } from './support/truth.ts'

/** A change of the service. */
const change = fc.oneof(
  drawn(2, 'create', { count: fc.nat(8) }),
  drawn(1, 'trash', { which: share }),
  drawn(1, 'restore', {}),
  drawn(2, 'webhook', { which: share }),
  drawn(1, 'draft', { which: share }),
  drawn(5, 'insert', { which: share, count: fc.integer({ min: 1, max: 5 }) }),
  drawn(4, 'delete', { which: share, row: share }),
  drawn(1, 'fail', { which: share, times: fc.integer({ min: 1, max: 6 }) }),
)

const schedule = fc.record({
  /** Forms at the start, of which many stay idle. */
  forms: fc.array(fc.nat(12), { minLength: 1, maxLength: 6 }),
  rounds: fc.array(
    fc.record({
      /** Changes after the round. */
      after: fc.array(change, { maxLength: 3 }),
      /** Changes while the next round reads. */
      during: fc.array(change, { maxLength: 2 }),
      /** Steps that the process lives on: it is killed in the next round, or not at all. */
      life: fc.oneof({ weight: 4, arbitrary: fc.constant(1_000_000) }, { weight: 1, arbitrary: fc.nat(60) }),
    }),
    { minLength: 2, maxLength: 14, size: 'max' },
  ),
  perPage: fc.integer({ min: 2, max: 5 }),
  unspecified: fc.record({
    timestamps: fc.constantFrom('milliseconds' as const, 'microseconds' as const),
    draftDeletion: fc.constantFrom('countKept' as const, 'countLowered' as const),
  }),
})

type Change = Drawn<typeof change>

/** Rounds after the last change: each form has its turn within ten, and one that failed is tried again within a minute. */
const QUIET_ROUNDS = 15

/** Schedules of `run()` with all forms, against the model. */
export function describeFollowingSchedules(
  name: string,
  createDatabase: () => Promise<TestDatabase> | TestDatabase,
  runs = propertyRuns(6, 12),
): void {
  const title = `[POLL-02] follows all forms, and handles each response once, in ${runs} schedules of forms that come and go, changes and crashes`
  describeDrawn(name, createDatabase, { title, runs, schedule, run: follow })
}

async function follow(
  service: Service,
  database: TestDatabase,
  store: ReturnType<TestDatabase['store']>,
  { forms: initial, rounds, perPage }: Drawn<typeof schedule>,
): Promise<void> {
  const { app, clock } = service.server
  // The tables are shared by all schedules, and a list that lacks a form marks it.
  for (const table of ['outbox', 'formwire_forms', 'formwire_responses', 'formwire_sync_state'])
    await database.query(`DELETE FROM ${table}`).catch(() => undefined)
  const forms: string[] = []
  const trashed: string[] = []
  const known: FormResponse[] = []
  const deleted = new Map<number, FormResponse>()
  const falselyMarked: number[] = []
  const readResponse = async (form: string, id: number): Promise<FormResponse> => {
    const read = await readApi<{ data: FormResponse }>(service.server, `/forms/${form}/responses/${id}`)
    return read?.data as FormResponse
  }
  const insert = async (form: string, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      const { id } = app.responses.create(form, {
        email: index % 2 === 0 ? null : `${clock.now()}@example.com`,
        answers: [{ question_id: 'nps', value: index % 11 }],
      })
      known.push(await readResponse(form, id))
    }
  }
  const create = async (count: number): Promise<void> => {
    const form = service.form(`Form ${forms.length}`)
    forms.push(form)
    await insert(form, count)
  }
  const apply = async (one: Change, sync: Sync): Promise<void> => {
    const form = 'which' in one ? pick(forms, one.which) : undefined
    if (one.do === 'create') await create(one.count)
    else if (one.do === 'restore') {
      const restored = trashed.shift()
      if (restored === undefined) return
      app.forms.restore(restored)
      forms.push(restored)
    } else if (one.do === 'webhook') {
      const response = pick(known, one.which)
      if (!response) return
      const submitted_at = response.submitted_at as string
      const event = { form: { id: response.form_id, title: '' }, response: { ...response, submitted_at } }
      await sync.handlers['response.submitted'](event).catch(expectCrash)
    } else if (form === undefined) return
    else if (one.do === 'insert') await insert(form, one.count)
    else if (one.do === 'draft') app.responses.create(form, { status: 'in_progress' })
    else if (one.do === 'trash') {
      app.forms.trash(form)
      forms.splice(forms.indexOf(form), 1)
      trashed.push(form)
    } else if (one.do === 'fail') {
      app.faults.add({ path: `/api/v1/forms/${form}/responses`, status: 502, times: one.times })
    } else if (one.do === 'delete') {
      const id = pick(service.submitted(form), one.row)
      if (id === undefined) return
      deleted.set(id, await readResponse(form, id))
      app.responses.delete(form, id)
    }
  }

  for (const count of initial) await create(count)
  let round = 0
  while (round < rounds.length + QUIET_ROUNDS) {
    const life = new Lifetime(1_000_000)
    const stop = new AbortController()
    let roundAt = clock.now()
    const during: Change[] = []
    let isChanging = false
    let requests = 0
    const pass = async (ms: number): Promise<void> => {
      // To the instance, its death looks like an outage.
      if (life.isOver) return stop.abort()
      await clock.advance(ms)
      if (clock.now() < roundAt + 30_000) return
      roundAt = clock.now()
      const next = rounds[round]
      round += 1
      if (round > rounds.length) {
        app.faults.clear()
        during.length = 0
      }
      if (round >= rounds.length + QUIET_ROUNDS) stop.abort()
      if (!next) return
      for (const one of next.after) await apply(one, sync)
      during.push(...next.during)
      life.limit(next.life)
    }
    const sync = createSync({
      formwire: mortalClient(service, life, async () => {
        requests += 1
        if (requests % 2 > 0 || during.length === 0 || isChanging) return
        isChanging = true
        await apply(during.shift() as Change, sync)
        isChanging = false
      }),
      store: mortalStore(store, life),
      forms: 'all',
      drafts: true,
      per_page: perPage,
      signal: stop.signal,
      random: () => 1,
      clock: clockOf(service, pass),
      onResponse: toOutbox,
      onChanges(changes: readonly RowChange[]) {
        for (const { kind, id, formId } of changes)
          if (kind === 'deleted' && service.submitted(formId).includes(id)) falselyMarked.push(id)
      },
    })
    await sync.run().catch(expectCrash)
  }

  const truth = { server: service.server, query: database.query, forms, deleted }
  await expectResponses({ ...truth, drafts: true })
  await expectForms({ ...truth, trashed })
  expect(falselyMarked, 'rows of responses that exist').toEqual([])
  await expectOutbox(database.query)
}

/** The process died, or what it used did. */
function expectCrash(error: unknown): void {
  if (!(error instanceof Crash || (error as Error).cause instanceof Crash)) throw error
}
