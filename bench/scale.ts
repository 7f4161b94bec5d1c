/**
 * Simulates `@formwire/sync` at the limit of one key, 120 requests a minute, on a manual clock: how late rows are, and how late
 * deletions are. Prints the table of docs/explanation/scale.md. Service, client and SQLite are real; a request takes 100 ms of simulated time, a delivery 1 s, and
 * one delivery in a hundred is lost.
 *
 *     npx tsx --conditions=@formwire/source bench/scale.ts [FORMS RESPONSES_A_DAY DELETIONS_A_DAY poll|webhooks|both [KEYS]]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReferenceServer } from '@formwire/reference-server'
import { type Clock, Formwire } from '@formwire/sdk'
import { createSync, type RowChange, type SubmittedEvent } from '@formwire/sync'
import { sqliteStore } from '@formwire/sync/sqlite'
import { quantile, randomFrom } from './support/statistics.ts'

type Mode = 'poll' | 'webhooks' | 'both'
type Scenario = [forms: number, responsesADay: number, deletionsADay: number, mode: Mode, keys?: number]

/** The rows of docs/explanation/scale.md. */
const SCENARIOS: Scenario[] = [
  [10, 1_000, 10, 'poll'],
  [100, 10_000, 100, 'poll'],
  [100, 100_000, 1_000, 'poll'],
  [1_000, 10_000, 100, 'poll'],
  [1_000, 100_000, 1_000, 'poll'],
  [1_000, 100_000, 1_000, 'both'],
  [1_000, 100_000, 1_000, 'webhooks'],
  [1_000, 300_000, 3_000, 'poll'],
  [1_000, 300_000, 3_000, 'poll', 3],
  [3_000, 30_000, 300, 'poll'],
  [3_000, 30_000, 300, 'both'],
  // Two minutes of processor time each, mostly in SQLite, which reads its whole schema for each view that is created.
  [10_000, 30_000, 300, 'poll'],
  [10_000, 30_000, 300, 'both'],
]

const START = Date.parse('2026-11-21T00:00:00Z')
const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
/** Simulated time after the first synchronization. */
const MEASURED_MS = Number(process.env.FORMWIRE_BENCH_MINUTES ?? 60) * MINUTE_MS
const REQUEST_MS = 100
const DELIVERY_MS = 1_000
const LOST_SHARE = 0.01
/** Responses of each form before the first synchronization. */
const OLD_RESPONSES = 10

/** Virtual time: whatever waits is woken in order, as soon as nothing else happens. */
class Simulation implements Clock {
  #now = START
  #sequence = 0
  /** Of requests between their instants. */
  busy = 0
  readonly #timers: { at: number; sequence: number; wake: () => void }[] = []

  now(): number {
    return this.#now
  }

  setTimer(wake: () => void, ms: number): () => void {
    this.#sequence += 1
    const timer = { at: this.#now + Math.max(0, Math.ceil(ms)), sequence: this.#sequence, wake }
    const index = this.#timers.findLastIndex((one) => one.at <= timer.at)
    this.#timers.splice(index + 1, 0, timer)
    return () => {
      const position = this.#timers.indexOf(timer)
      if (position >= 0) this.#timers.splice(position, 1)
    }
  }

  /** Advances from event to event until `isOver`. `move` sets the clock of the service. */
  async run(move: (ms: number) => Promise<void>, isOver: () => boolean): Promise<void> {
    let idle = 0
    while (!isOver()) {
      for (let quiet = 0; quiet < 3; quiet += 1) {
        await new Promise((resolve) => setImmediate(resolve))
        if (this.busy > 0) quiet = -1
      }
      const next = this.#timers.shift()
      if (!next) {
        // The first request loads parts of the service, which takes real time.
        idle += 1
        if (idle > 100_000) throw new Error('Nothing is left to wait for.')
        continue
      }
      if (next.at > this.#now) {
        const by = next.at - this.#now
        this.#now = next.at
        await move(by)
      }
      next.wake()
    }
  }
}

async function simulate(scenario: Scenario): Promise<string> {
  const [forms, responsesADay, deletionsADay, mode, keys = 1] = scenario
  const folder = mkdtempSync(join(tmpdir(), 'formwire-scale-'))
  const simulation = new Simulation()
  const random = randomFrom(7)
  await using server = createReferenceServer({ clock: 'manual', now: START, journalSize: 1 })
  await server.ready
  const { app } = server
  const QUESTIONS = [{ id: 'nps', type: 'nps', title: 'Would you recommend us?' }]
  const answers = [{ question_id: 'nps', value: 9 }]
  const ids = Array.from(
    { length: forms },
    () => app.forms.create({ title: 'Survey', questions: QUESTIONS }).id,
  )
  const live = new Map(
    ids.map((form) => [
      form,
      Array.from({ length: OLD_RESPONSES }, (_, index) => {
        const submitted_at = new Date(START - (OLD_RESPONSES - index) * MINUTE_MS).toISOString()
        return app.responses.create(form, { submitted_at, answers }).id
      }),
    ]),
  )

  let requests = 0
  // A fleet with several keys sends each request with the next one.
  const apiKeys = Array.from({ length: keys }, (_, number) =>
    number === 0 ? server.writeKey : app.keys.create({ name: `key ${number}`, scope: 'write' }).key,
  )
  const fetchAfter: typeof fetch = async (...given) => {
    await new Promise<void>((resolve) => simulation.setTimer(resolve, REQUEST_MS))
    const request = new Request(...given)
    request.headers.set('authorization', `Bearer ${apiKeys[requests % keys]}`)
    requests += 1
    simulation.busy += 1
    try {
      return await server.fetch(request)
    } finally {
      simulation.busy -= 1
    }
  }
  /** When each response came, and when its deletion came, until the table shows it. */
  const submittedAt = new Map<string, number>()
  const deletedAt = new Map<string, number>()
  const delays: number[] = []
  const deletionDelays: number[] = []
  const onChanges = (changes: readonly RowChange[]): void => {
    for (const { kind, formId, id } of changes) {
      const key = `${formId} ${id}`
      const since = (kind === 'deleted' ? deletedAt : submittedAt).get(key)
      if (since === undefined || kind === 'updated') continue
      const ms = simulation.now() - since
      if (kind === 'deleted') deletionDelays.push(ms)
      else delays.push(ms)
      ;(kind === 'deleted' ? deletedAt : submittedAt).delete(key)
    }
  }
  const store = sqliteStore(join(folder, 'scale.db'))
  await store.open()
  const stop = new AbortController()
  const formwire = new Formwire({
    apiKey: server.writeKey,
    fetch: fetchAfter,
    clock: simulation,
    rateLimit: { perMinute: 120 * keys },
    totalTimeoutMs: DAY_MS,
  })
  const { signal } = stop
  const sync = createSync({ formwire, store, forms: 'all', clock: simulation, random, signal, onChanges })

  const move = (ms: number): Promise<void> => server.clock.advance(ms)
  // The first round reads every form. What comes meanwhile waits for it, so it is measured on its own.
  const toRead = forms + Math.ceil(forms / 100)
  let isReady = false
  void (mode === 'webhooks' ? sync.once() : sync.run())
  await simulation.run(move, () => {
    isReady ||= requests >= toRead
    return isReady
  })
  const from = simulation.now()
  const until = from + MEASURED_MS
  const submit = (): void => {
    const form = ids[Math.floor(random() * forms)] as string
    const submitted_at = new Date(simulation.now()).toISOString()
    const { id } = app.responses.create(form, { submitted_at, answers })
    live.get(form)?.push(id)
    submittedAt.set(`${form} ${id}`, simulation.now())
    if (mode === 'poll' || random() < LOST_SHARE) return
    const response = { id, submitted_at, answers: [], score: null, max_score: null, meta: {} }
    const event = { form: { id: form, title: 'Survey' }, response } as unknown as SubmittedEvent
    simulation.setTimer(() => void sync.handlers['response.submitted'](event), DELIVERY_MS)
  }
  const remove = (): void => {
    const form = ids[Math.floor(random() * forms)] as string
    const id = live.get(form)?.shift()
    if (id === undefined) return
    app.responses.delete(form, id)
    deletedAt.set(`${form} ${id}`, simulation.now())
  }
  /** Random instants at a rate, for as long as is measured. */
  const repeat = (aDay: number, work: () => void): void => {
    if (aDay === 0) return
    const next = (): void => {
      if (simulation.now() >= until) return
      work()
      simulation.setTimer(next, (-Math.log(1 - random()) * DAY_MS) / aDay)
    }
    simulation.setTimer(next, (-Math.log(1 - random()) * DAY_MS) / aDay)
  }
  repeat(responsesADay, submit)
  repeat(deletionsADay, remove)
  const requestsBefore = requests
  let isOver = false
  simulation.setTimer(() => {
    isOver = true
  }, MEASURED_MS)
  await simulation.run(move, () => isOver)
  const sent = requests - requestsBefore
  const [unseen, undeleted] = [submittedAt, deletedAt].map((open) =>
    [...open.values()].map((at) => simulation.now() - at),
  ) as [number[], number[]]
  stop.abort()
  await store.close()
  rmSync(folder, { recursive: true, force: true })

  const isNeverDeleted = deletionDelays.length === 0 && undeleted.length > 0
  const cells = [
    `\`${scenario.join(' ')}\``,
    `${((from - START) / MINUTE_MS).toFixed(0)} min`,
    seconds(quantile(delays, 0.5)),
    seconds(quantile(delays, 0.99)),
    seconds(quantile([...delays, ...unseen], 1)),
    isNeverDeleted ? 'never' : seconds(quantile([...deletionDelays, ...undeleted], 0.5)),
    Math.round(sent / (MEASURED_MS / MINUTE_MS)),
  ]
  return `| ${cells.join(' | ')} |`
}

function seconds(ms: number): string {
  return Number.isNaN(ms) ? '–' : `${Math.round(ms / 1000)} s`
}

const [forms, responsesADay, deletionsADay, mode, ...keys] = process.argv.slice(2)
const chosen = [
  Number(forms),
  Number(responsesADay),
  Number(deletionsADay),
  mode as Mode,
  ...keys.map(Number),
]
console.log(
  '| arguments | first round | new row: median | 99 % | oldest | deletion: median | requests a minute |',
)
console.log(`|${'---|'.repeat(7)}`)
for (const scenario of forms === undefined ? SCENARIOS : [chosen as Scenario])
  console.log(await simulate(scenario))
