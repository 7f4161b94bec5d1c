import type { FormResponse } from '@formwire/contract'
import { isFormwireError } from '@formwire/sdk'
import fc from 'fast-check'
import { expect } from 'vitest'
import { propertyRuns } from '../../../test/support/cases.ts'
import { createSync, type RowChange, type SubmittedEvent } from '../src/index.ts'
import { toOutbox } from './process/outbox.ts'
import { Crash, Lifetime, mortalStore } from './support/crash.ts'
import { describeDrawn, mortalClient } from './support/schedules.ts'
import { clockOf, type Service } from './support/service.ts'
import { type Drawn, drawn, pick, share } from './support/steps.ts'
import type { TestDatabase } from './support/stores.ts'
import { expectForms, expectOutbox, expectResponses, readApi } from './support/truth.ts'

/** One step of a schedule. */
const step = fc.oneof(
  drawn(5, 'insert', {
    count: fc.integer({ min: 1, max: 12 }),
    ago: fc.constantFrom(0, 0, 0, 1, 5_000, 100_000),
  }),
  drawn(4, 'delete', { which: share, count: fc.integer({ min: 1, max: 6 }) }),
  drawn(3, 'draft', {
    how: fc.constantFrom('create' as const, 'save' as const, 'submit' as const, 'delete' as const),
    which: share,
  }),
  drawn(3, 'webhook', { which: share }),
  drawn(6, 'sync', {
    life: fc.oneof(fc.constant(100_000), fc.integer({ min: 0, max: 150 })),
    between: fc.nat(3),
    verify: fc.boolean(),
  }),
  drawn(1, 'two', {}),
  drawn(3, 'advance', { ms: fc.constantFrom(1, 7, 1000, 60_000) }),
  drawn(1, 'trash', {}),
  drawn(1, 'fault', { status: fc.constantFrom(500, 502, 429) }),
)

const schedule = (maxSteps: number) =>
  fc.record({
    steps: fc.array(step, { minLength: 2, maxLength: maxSteps, size: 'max' }),
    /** Without back-filled responses, counts hide nothing, and plain runs must be exact. */
    backFills: fc.boolean(),
    initial: fc.integer({ min: 0, max: 40 }),
    perPage: fc.integer({ min: 2, max: 5 }),
    /** Without onResponse, webhooks take one statement. */
    usesOutbox: fc.boolean(),
    unspecified: fc.record({
      submittedDraft: fc.constantFrom('sameId' as const, 'newId' as const),
      timestamps: fc.constantFrom('milliseconds' as const, 'microseconds' as const, 'offset' as const),
      pagePastEnd: fc.constantFrom('empty' as const, '422' as const),
      draftDeletion: fc.constantFrom('countKept' as const, 'countLowered' as const),
    }),
  })

/** Schedules against the model. */
export function describeSchedules(
  name: string,
  createDatabase: () => Promise<TestDatabase> | TestDatabase,
  runs = propertyRuns(10, 25),
  maxSteps = 8,
): void {
  const title = `[POLL-02] equals the service in the end, and handles each response once, in ${runs} schedules of changes, webhooks and crashes`
  describeDrawn(name, createDatabase, { title, runs, schedule: schedule(maxSteps), run: runSchedule })
}

async function runSchedule(
  service: Service,
  database: TestDatabase,
  store: ReturnType<TestDatabase['store']>,
  { steps, initial, perPage, usesOutbox, backFills }: Drawn<ReturnType<typeof schedule>>,
): Promise<void> {
  const { app, clock } = service.server
  const form = service.form()
  const drafts: { id: number; token: string }[] = []
  const events: SubmittedEvent[] = []
  const falselyMarked: number[] = []

  const responses = (status: 'submitted' | 'in_progress'): number[] =>
    app.responses.list(form, status, 0, 10_000).items.map(({ id }) => id)
  const readResponse = async (id: number): Promise<FormResponse | undefined> =>
    (await readApi<{ data: FormResponse }>(service.server, `/forms/${form}/responses/${id}`))?.data
  const remember = async (id: number): Promise<void> => {
    const data = await readResponse(id)
    if (!data) return
    events.push({
      form: { id: form, title: 'Survey' },
      response: { ...data, submitted_at: data.submitted_at as string },
    })
  }
  const insert = async (count: number, ago: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      const submitted_at = new Date(clock.now() - (backFills ? ago : 0)).toISOString()
      const { id } = app.responses.create(form, {
        submitted_at,
        started_at: new Date(Date.parse(submitted_at) - index * 7000).toISOString(),
        email: index % 2 === 0 ? null : `${clock.now()}@example.com`,
        meta: { device: `phone ${index}` },
        answers: [{ question_id: 'nps', value: index % 11 }],
      })
      if (index === 0) await remember(id)
    }
  }
  const deleted = new Map<number, FormResponse>()
  const remove = async (which: number, count: number): Promise<void> => {
    const ids = responses('submitted')
    const start = Math.floor(which * ids.length)
    for (const id of ids.slice(start, start + count)) {
      deleted.set(id, (await readResponse(id)) as FormResponse)
      app.responses.delete(form, id)
    }
  }
  const publicForm = async (path: string, method: string): Promise<Response> =>
    await service.server.fetch(
      new Request(`http://formwire.test/f/${app.forms.get(form).slug}/drafts/${path}`, {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ answers: [{ question_id: 'why', value: `at ${clock.now()}` }] }),
      }),
    )
  const draft = async (how: 'create' | 'save' | 'submit' | 'delete', which: number): Promise<void> => {
    if (how === 'create') {
      const { id, draft: saved } = app.responses.create(form, { status: 'in_progress' })
      drafts.push({ id, token: saved?.token as string })
      return
    }
    const chosen = pick(drafts, which)
    if (!chosen) return
    if (how === 'save') await publicForm(chosen.token, 'PUT')
    else {
      drafts.splice(drafts.indexOf(chosen), 1)
      if (how === 'delete') app.responses.delete(form, chosen.id)
      else {
        const submitted = await publicForm(`${chosen.token}/submit`, 'POST')
        const { data } = (await submitted.json()) as { data: { id: number } }
        await remember(data.id)
      }
    }
  }

  const instance = (life: Lifetime) =>
    createSync({
      formwire: mortalClient(service, life, (request) => service.before?.(request)),
      store: mortalStore(store, life),
      forms: [form],
      drafts: true,
      per_page: perPage,
      clock: clockOf(service, () => undefined),
      onResponse: usesOutbox ? toOutbox : undefined,
      onChanges(changes: readonly RowChange[]) {
        const existing = new Set([...responses('submitted'), ...responses('in_progress')])
        for (const { kind, id } of changes) if (kind === 'deleted' && existing.has(id)) falselyMarked.push(id)
      },
    })
  /** Runs until it ends, fails or dies. */
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => {
      const cause = (error as Error).cause
      const isExpected =
        error instanceof Crash ||
        cause instanceof Crash ||
        isFormwireError(error) ||
        (error as Error).name === 'UnknownFormsError'
      if (!isExpected) throw error
    })
  }

  /** A process that lives on: it knows the columns of the view. */
  const receiver = instance(new Lifetime(1_000_000))
  await insert(initial, 1_000_000)
  for (const one of steps) {
    if (one.do === 'insert') await insert(one.count, one.ago)
    else if (one.do === 'delete') await remove(one.which, one.count)
    else if (one.do === 'draft') await draft(one.how, one.which)
    else if (one.do === 'webhook') {
      const event = pick(events, one.which)
      const process = one.which > 0.8 ? instance(new Lifetime(5)) : receiver
      if (event) await attempt(process.handlers['response.submitted'](event))
    } else if (one.do === 'advance') await clock.advance(one.ms)
    else if (one.do === 'two') {
      const lives = [new Lifetime(100_000), new Lifetime(100_000)]
      await Promise.all(lives.map((life) => attempt(instance(life).once())))
    } else if (one.do === 'trash') {
      app.forms.trash(form)
      await attempt(instance(new Lifetime(100_000)).once())
      app.forms.restore(form)
    } else if (one.do === 'fault')
      app.faults.add({ status: one.status, times: 1, path: '/api/v1/forms/*/responses', retry_after: 1 })
    else {
      let requests = 0
      service.before = async () => {
        requests += 1
        if (requests % (one.between + 1) !== one.between) return
        if (requests % 3 === 0) await remove((requests * 0.37) % 1, 1)
        else if (requests < 30) await insert(1, requests % 4 === 0 ? 3_000 : 0)
      }
      const life = new Lifetime(one.life)
      await attempt(instance(life).once({ verify: backFills && one.verify }))
      service.before = undefined
    }
  }
  app.faults.clear()
  if (backFills) await instance(new Lifetime(100_000)).once({ verify: true })
  await instance(new Lifetime(100_000)).once()

  const truth = { server: service.server, query: database.query, forms: [form], drafts: true, deleted }
  await expectResponses(truth)
  await expectForms(truth)
  expect(falselyMarked, 'rows of responses that exist').toEqual([])
  if (usesOutbox) await expectOutbox(database.query, `form_id = '${form}'`)
}
