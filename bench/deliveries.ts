/**
 * Compares the delivery engine with a `node:http` keep-alive client that sends the same signed bodies. Prints the table of
 * the section in bench/README.md: `npx tsx --conditions=@formwire/source bench/deliveries.ts [name...]`.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createReferenceServer, type ReferenceServer } from '@formwire/reference-server'
import { signatureHeader } from '@formwire/webhook-verify'
import { type Sink, startSink } from './support/start-sink.ts'
import { median, randomFrom, showChange, shuffled } from './support/statistics.ts'

const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 5)
const NOW = Date.parse('2026-11-21T09:30:00Z')

const TEXT = 'Shipping took longer than announced, everything else was fine. '.repeat(4)

interface Bench {
  readonly server: ReferenceServer
  readonly formIds: readonly string[]
  /** Submits responses with a text, to the first form if none is given. */
  submit(count: number, form?: number, value?: string): void
}

/** Creates a server with a form for each list of URLs, and an endpoint for each of them. */
async function createBench(
  urls: readonly (readonly string[])[],
  clock: 'manual' | 'real' = 'manual',
): Promise<Bench> {
  const server = createReferenceServer({ clock, limits: 'off', ...(clock === 'manual' && { now: NOW }) })
  const formIds: string[] = []
  for (const endpoints of urls) {
    const questions = [{ id: 'q', type: 'long_text', title: 'What could we have done better?' } as const]
    const { id } = server.app.forms.create({ title: 'Customer survey', questions })
    server.app.forms.publish(id)
    for (const url of endpoints) await server.app.webhooks.create(id, { url })
    formIds.push(id)
  }
  const submit = (count: number, form = 0, value = TEXT): void => {
    const answers = [{ question_id: 'q', value }]
    for (let index = 0; index < count; index += 1)
      server.app.responses.create(formIds[form] as string, { answers, deliver: true })
  }
  return { server, formIds, submit }
}

/** The baseline: `node:http` with keep-alive, with the concurrency and the signature of the engine. */
async function sendWithNodeHttp(url: string, body: Buffer, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const secret = 'whsec_4f1d2c8e9a7b6053f1e2d3c4b5a69788'
  const begun = performance.now()
  let next = 0
  const sendOne = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const timestamp = Math.floor(Date.now() / 1000)
      const headers = {
        'content-type': 'application/json',
        'content-length': body.length,
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'node',
        'x-service-event': 'response.submitted',
        'x-service-delivery': `baseline_${next}`,
        'x-service-timestamp': timestamp,
        'x-service-signature': signatureHeader(secret, timestamp, body),
      }
      const call = request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume()
        response.on('end', resolve)
      })
      call.on('error', reject)
      call.end(body)
    })
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (next < count) {
        next += 1
        await sendOne()
      }
    }),
  )
  agent.destroy()
  return count / ((performance.now() - begun) / 1000)
}

/** Submits responses and delivers them. */
async function deliver(bench: Bench, count: number): Promise<number> {
  bench.submit(count)
  return deliverPending(bench, count)
}

/** Delivers everything pending, with address rules, signature, deadline, outcome and log. Returns deliveries per second. */
async function deliverPending({ server }: Bench, count: number): Promise<number> {
  const begun = performance.now()
  await server.clock.advance(0)
  return count / ((performance.now() - begun) / 1000)
}

const ratio = (value: number): string => `${value.toFixed(2)}×`

/** Returns the body that the engine sends, for the baseline. */
async function bodyOf(bench: Bench, sink: Sink): Promise<Buffer> {
  bench.submit(1)
  await bench.server.clock.advance(0)
  const [entry] = bench.server.app.deliveries.list(bench.formIds[0] as string, 1)
  await sink.clear()
  return Buffer.from(bench.server.app.deliveries.get(entry?.id ?? '').raw_body ?? '')
}

/** Compares deliveries with the baseline, in alternating rounds. */
async function throughput(): Promise<string> {
  const sink = await startSink()
  const bench = await createBench([[sink.url]])
  const body = await bodyOf(bench, sink)
  const COUNT = 4_000
  const ratios = { wall: [] as number[], cpu: [] as number[] }
  const micros = { baseline: [] as number[], ours: [] as number[] }
  for (let round = -1; round < ROUNDS; round += 1) {
    const baseline = await withCpu(() => sendWithNodeHttp(sink.url, body, COUNT))
    bench.submit(COUNT)
    const ours = await withCpu(() => deliverPending(bench, COUNT))
    if (round < 0) continue
    ratios.wall.push(ours.rate / baseline.rate)
    ratios.cpu.push(baseline.cpu / ours.cpu)
    micros.baseline.push(baseline.cpu / COUNT)
    micros.ours.push(ours.cpu / COUNT)
  }
  await bench.server.close()
  sink.stop()
  const cpu = `${ratio(median(ratios.cpu))} by processor time: ${median(micros.ours).toFixed(0)} µs instead of ${median(micros.baseline).toFixed(0)}`
  return `| deliveries to one receiver / \`node:http\` with keep-alive | ${ratio(median(ratios.wall))} (${cpu}) | ≥ 1.8× |`
}

/** Measures the rate and the processor time of this process in microseconds, which varies less under load. */
async function withCpu(run: () => Promise<number>): Promise<{ rate: number; cpu: number }> {
  const before = process.cpuUsage()
  const rate = await run()
  const { user, system } = process.cpuUsage(before)
  return { rate, cpu: user + system }
}

/** Compares 10,000 failing deliveries over the whole retry schedule with as many successful attempts. */
async function retries(): Promise<string> {
  const COUNT = 10_000
  const sink = await startSink('500')
  const healthy = await startSink('200')
  const failing = await createBench([[sink.url]])
  const flat = await createBench([[healthy.url]])
  await deliver(flat, 2_000)
  const begun = performance.now()
  failing.submit(COUNT)
  await failing.server.clock.advance('14.6h')
  const walked = (6 * COUNT) / ((performance.now() - begun) / 1000)
  const { requests } = await sink.count()
  if (requests !== 6 * COUNT) throw new Error(`${requests} attempts instead of ${6 * COUNT}`)
  const flatBegun = performance.now()
  flat.submit(6 * COUNT)
  await flat.server.clock.advance(0)
  const sent = (6 * COUNT) / ((performance.now() - flatBegun) / 1000)
  await Promise.all([failing.server.close(), flat.server.close()])
  for (const one of [sink, healthy]) one.stop()
  return `| 60,000 attempts of 10,000 failing deliveries in one \`advance('14.6h')\` / 60,000 successful deliveries | ${ratio(walked / sent)} | ≥ 0.8× |`
}

/** Checks that each of 100,000 deliveries to healthy receivers arrives exactly once. */
async function exactlyOnce(): Promise<string> {
  const sinks = await Promise.all([startSink(), startSink()])
  const bench = await createBench([sinks.map(({ url }) => url)])
  bench.submit(50_000)
  await bench.server.clock.advance(0)
  let once = 0
  for (const sink of sinks) {
    const { deliveries, requests } = await sink.count()
    if (deliveries !== requests) throw new Error(`${requests} requests for ${deliveries} deliveries`)
    once += deliveries
    sink.stop()
  }
  await bench.server.close()
  return `| of 100,000 pending deliveries to two receivers, received exactly once | ${once.toLocaleString('en')} | 100,000 |`
}

/** Submissions per phase and their interval: a load that leaves the engine mostly idle. */
const PHASE_SUBMISSIONS = 100
const SUBMIT_EVERY_MS = 1.5
/** Deliveries pending at the 200th endpoint when a phase starts: more than may be in flight. */
const BACKLOG = 40
const HANGING_ROUNDS = 12 * ROUNDS

/**
 * Measures how one hanging receiver of 200, with its connections in use and a backlog, changes the median time from
 * submission to arrival at the others. Each round has three short phases in random order: the receiver hangs once and
 * responds twice; the second of these shows the noise.
 */
async function hanging(): Promise<string> {
  const sink = await startSink()
  const healthy = Array.from({ length: 199 }, (_, index) => [`${sink.url}${index}`])
  const bench = await createBench([...healthy, [`${sink.url}held`]], 'real')
  const effects: number[] = []
  const noise: number[] = []
  const random = randomFrom(20_261_121)
  for (let round = -2; round < HANGING_ROUNDS; round += 1) {
    const order = shuffled(['responds', 'hangs', 'responds again'] as const, random)
    const times = { responds: 0, hangs: 0, 'responds again': 0 }
    for (const phase of order) times[phase] = await medianOfOthers(bench, sink, phase === 'hangs', random)
    if (round < 0) continue
    effects.push(times.hangs / times.responds - 1)
    noise.push(times['responds again'] / times.responds - 1)
  }
  await bench.server.close()
  sink.stop()
  return [
    `| one hanging receiver of 200: change of the median latency of the others | ${showChange(effects, random)} | < 10 % |`,
    `| the same without a hanging receiver (noise) | ${showChange(noise, random)} | – |`,
  ].join('\n')
}

/** Runs one phase. Returns the median milliseconds from submission to arrival, without the last receiver. */
async function medianOfOthers(
  bench: Bench,
  sink: Sink,
  hangs: boolean,
  random: () => number,
): Promise<number> {
  const last = bench.formIds.length - 1
  const submit = (form: number): void =>
    bench.submit(1, form, `Sent at ${process.hrtime.bigint()} ns. ${TEXT}`)
  if (hangs) await sink.hold()
  for (let count = 0; count < BACKLOG; count += 1) submit(last)
  if (hangs) while ((await sink.count()).held === 0) await sleep(1)
  else await bench.server.clock.advance(0)
  await sleep(30)
  await sink.clear()
  const receivers = shuffled([...bench.formIds.keys()], random).slice(0, PHASE_SUBMISSIONS)
  const begun = performance.now()
  for (const [index, receiver] of receivers.entries()) {
    // At fixed times, independent of responses, so that a delay does not reduce the load.
    const wait = begun + index * SUBMIT_EVERY_MS - performance.now()
    if (wait > 0) await sleep(wait)
    submit(receiver)
  }
  const expected = receivers.filter((receiver) => receiver !== last).length
  let latencies = await sink.latencies()
  while (latencies.length < expected) {
    await sleep(5)
    latencies = await sink.latencies()
  }
  await sink.release()
  await bench.server.clock.advance(0)
  return median(latencies)
}

const all = { throughput, retries, exactlyOnce, hanging }
const chosen = process.argv.slice(2)
console.log('| what | measured | wanted |\n|---|---|---|')
for (const [name, run] of Object.entries(all)) {
  if (chosen.length === 0 || chosen.includes(name)) console.log(await run())
}
