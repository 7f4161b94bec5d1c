/**
 * Measures the test kit: start, reset and fork, compared with json-server and @msw/data where they can do the same
 * work. Prints the table of the section in bench/README.md:
 * `npx tsx --conditions=@formwire/source bench/testkit.ts [name...]`.
 */
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createReferenceServer, type ReferenceServer, type Seed } from '@formwire/reference-server'
import {
  createSeedFactory,
  makeQuestion,
  type SeedResponse,
  startFormwire,
} from '@formwire/reference-server/testing'
import { Collection } from '@msw/data'
import { median } from './support/statistics.ts'

const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 25)
const FORM = 'benchform001'
const SMALL = 100
const LARGE = 100_000

const make = await createSeedFactory(1)

/** Returns a seed with one form and this many responses, equal except for their time. */
function seedOf(responses: number): Seed {
  const answers = [
    { question_id: 'nps', value: 9 },
    { question_id: 'long_text', value: 'Shipping took longer than announced, everything else was fine.' },
  ]
  const list = Array.from(
    { length: responses },
    (_, index): SeedResponse => ({ submitted_at: `-${index + 60}s`, answers }),
  )
  const questions = [makeQuestion('nps'), makeQuestion('long_text')]
  return make.seed(make.form({ id: FORM, created_at: '-400d', questions, responses: list }))
}

/** Rows for the other libraries, with as many members and as much text. */
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    form_id: FORM,
    status: 'submitted',
    submitted_at: new Date(1_795_000_000_000 - index * 1000).toISOString(),
    nps: 9,
    text: 'Shipping took longer than announced, everything else was fine.',
  }))
type Row = ReturnType<typeof rowsOf>[number]

/** Returns the median milliseconds of some work, without the warm-up rounds. */
async function time(work: () => unknown, after: () => unknown = () => {}, rounds = ROUNDS): Promise<number> {
  const times: number[] = []
  for (let round = -3; round < rounds; round += 1) {
    const begun = performance.now()
    await work()
    if (round >= 0) times.push(performance.now() - begun)
    await after()
  }
  return median(times)
}

const shown = (milliseconds: number): string =>
  milliseconds < 0.1 ? `${(milliseconds * 1000).toFixed(1)} µs` : `${milliseconds.toFixed(2)} ms`

const times = (theirs: number, ours: number): string => `${(theirs / ours).toFixed(1)}×`

const row = (what: string, measured: string, wanted: string): string =>
  `| ${what} | ${measured} | ${wanted} |`

async function firstPage(server: ReferenceServer): Promise<void> {
  const headers = { authorization: `Bearer ${server.writeKey}` }
  const response = await server.fetch(`http://formwire.test/api/v1/forms/${FORM}/responses`, { headers })
  const { data } = (await response.json()) as { data: unknown[] }
  if (data.length !== 25) throw new Error(`The first page has ${data.length} responses instead of 25.`)
}

interface JsonServer {
  create(): { use(router: unknown): void; listen(port: number, host: string, ready: () => void): Server }
  router(db: object): { db: { setState(state: object): void } }
}
const jsonServer = createRequire(import.meta.url)('json-server') as JsonServer

/** Starts a json-server with the rows at /responses. */
async function startJsonServer(db: object) {
  const app = jsonServer.create()
  const router = jsonServer.router(db)
  app.use(router)
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  const { port } = server.address() as AddressInfo
  return { router, server, url: `http://127.0.0.1:${port}` }
}

/** A schema that accepts everything, so that @msw/data does not validate. */
const rowSchema = {
  '~standard': {
    version: 1 as const,
    vendor: 'bench',
    validate: (value: unknown) => ({ value: value as Row }),
  },
}

/** Creates a collection of @msw/data with the rows. */
async function startCollection(rows: readonly Row[]) {
  const collection = new Collection<typeof rowSchema>({ schema: rowSchema })
  await collection.createMany(rows.length, (index) => rows[index] as Row)
  return collection
}

/** Measures the start up to the first page of a form with 100 responses. */
async function start(): Promise<string> {
  const seed = seedOf(SMALL)
  const rows = rowsOf(SMALL)
  const empty = await time(async () => {
    const server = createReferenceServer()
    await server.fetch('http://formwire.test/api/v1/me', {
      headers: { authorization: `Bearer ${server.writeKey}` },
    })
  })
  const seeded = await time(async () => {
    const server = createReferenceServer({ seed, clock: 'manual' })
    await server.ready
    await firstPage(server)
  })
  const open: { close(): unknown }[] = []
  const closeAll = () => Promise.all(open.splice(0).map((one) => one.close()))
  const kit = await time(async () => {
    open.push(await startFormwire())
  }, closeAll)
  const json = await time(async () => {
    const { server, url } = await startJsonServer({ responses: structuredClone(rows) })
    server.keepAliveTimeout = 1
    open.push(server)
    await (await fetch(`${url}/responses?_page=1&_limit=25`)).json()
  }, closeAll)
  const collection = await time(async () =>
    (await startCollection(rows)).findMany((q) => q.where({ form_id: FORM } as never), { take: 25 }),
  )
  return [
    row('start in process, empty, up to the first response', shown(empty), '< 5 ms'),
    row('start in process, 100 responses, up to their first page', shown(seeded), '–'),
    row('`startFormwire()`: server and listening receiver', shown(kit), '< 5 ms'),
    row('json-server to the same page / ours', times(json, seeded), '≥ 1×'),
    row('@msw/data to the same page without HTTP / ours with HTTP', times(collection, seeded), '–'),
  ].join('\n')
}

/** Measures a reset after a write. */
async function reset(): Promise<string> {
  const lines: string[] = []
  for (const count of [SMALL, LARGE]) {
    const server = createReferenceServer({ seed: seedOf(count), clock: 'manual' })
    await server.ready
    const dirty = () => server.app.responses.create(FORM, { answers: [{ question_id: 'nps', value: 1 }] })
    dirty()
    const ours = await time(() => server.app.reset(), dirty)
    const label = count.toLocaleString('en')
    lines.push(row(`\`reset()\`, ${label} responses`, shown(ours), '< 1 ms'))
    const rows = rowsOf(count)
    const { router, server: peer } = await startJsonServer({ responses: structuredClone(rows) })
    const json = await time(
      () => router.db.setState({ responses: structuredClone(rows) }),
      undefined,
      count === SMALL ? ROUNDS : 3,
    )
    peer.close()
    lines.push(row(`json-server: replace its ${label} rows / ours`, times(json, ours), '≥ 1×'))
    if (count === SMALL) {
      const collection = await startCollection(rows)
      const data = await time(async () => {
        collection.clear()
        await collection.createMany(rows.length, (index) => rows[index] as Row)
      })
      lines.push(row(`@msw/data: clear and refill ${label} rows / ours`, times(data, ours), '≥ 1×'))
    }
  }
  return lines.join('\n')
}

/** Measures a fork with 100,000 responses. */
async function fork(): Promise<string> {
  const of = async (count: number) => {
    const server = createReferenceServer({ seed: seedOf(count), clock: 'manual' })
    await server.ready
    return server
  }
  const [small, large] = [await of(SMALL), await of(LARGE)]
  const atSmall = await time(() => small.fork())
  const atLarge = await time(() => large.fork())
  const written = await time(() =>
    large.fork().app.responses.create(FORM, { answers: [{ question_id: 'nps', value: 1 }] }),
  )
  const rows = rowsOf(LARGE)
  const cloned = await time(() => structuredClone(rows), undefined, 3)
  const snapshot = await time(
    () => small.app.snapshot.restore(JSON.parse(JSON.stringify(large.app.snapshot.take())) as object),
    undefined,
    1,
  )
  return [
    row('`fork()` at 100,000 responses', shown(atLarge), '< 1 ms'),
    row('`fork()` at 100 responses / at 100,000', times(atSmall, atLarge), '≈ 1×'),
    row('`fork()` at 100,000 responses with the first write', shown(written), '< 5 ms'),
    row(
      '`structuredClone` of 100,000 rows (a copy for json-server) / `fork()`',
      times(cloned, atLarge),
      '≥ 100×',
    ),
    row('take and restore a snapshot of 100,000 responses as JSON', shown(snapshot), '–'),
  ].join('\n')
}

const all = { start, reset, fork }
const chosen = process.argv.slice(2)
console.log('| what | measured | wanted |\n|---|---|---|')
for (const [name, run] of Object.entries(all)) {
  if (chosen.length === 0 || chosen.includes(name)) console.log(await run())
}
