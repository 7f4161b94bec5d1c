/**
 * How fast deliveries go out, beside a `node:http` keep-alive sender of the same signed bodies in the same run. Prints
 * the Markdown of the section in bench/README.md: `npx tsx --conditions=@formwire/source bench/deliveries.ts [name...]`.
 */
import { Agent, request } from 'node:http'
import { createReferenceServer, type ReferenceServer } from '@formwire/reference-server'
import { signatureHeader } from '@formwire/webhook-verify'
import { type Sink, startSink } from './support/start-sink.ts'

const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 5)
const NOW = Date.parse('2026-11-21T09:30:00Z')

interface Bench {
  readonly server: ReferenceServer
  readonly formId: string
  readonly submit: (count: number) => void
}

/** A server with one form that has an endpoint for each url. */
async function createBench(urls: readonly string[], clock: 'manual' | 'real' = 'manual'): Promise<Bench> {
  const server = createReferenceServer({ clock, limits: 'off', ...(clock === 'manual' && { now: NOW }) })
  const { id: formId } = server.app.forms.create({
    title: 'Customer survey',
    questions: [{ id: 'q', type: 'long_text', title: 'What could we have done better?' }],
  })
  server.app.forms.publish(formId)
  for (const url of urls) await server.app.webhooks.create(formId, { url })
  const value = 'Shipping took longer than announced, everything else was fine. '.repeat(4)
  const submit = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      server.app.responses.create(formId, { answers: [{ question_id: 'q', value }], deliver: true })
    }
  }
  return { server, formId, submit }
}

/** The floor: `node:http` with keep-alive, as many at a time as the engine has for one endpoint, signed alike. */
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
        'x-service-delivery': `floor_${next}`,
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

/** Submits responses, and sends what that makes wait. */
async function deliver(bench: Bench, count: number): Promise<number> {
  bench.submit(count)
  return deliverWaiting(bench, count)
}

/** Deliveries a second of all that follows a submission: address rules, signature, deadline, outcome, log. */
async function deliverWaiting({ server }: Bench, count: number): Promise<number> {
  const begun = performance.now()
  await server.clock.advance(0)
  return count / ((performance.now() - begun) / 1000)
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] as number

const ratio = (value: number): string => `${value.toFixed(2)}×`

/** The body that the engine sends, to send the same from the floor. */
async function bodyOf(bench: Bench, sink: Sink): Promise<Buffer> {
  bench.submit(1)
  await bench.server.clock.advance(0)
  const [entry] = bench.server.app.deliveries.list(bench.formId, 1)
  await sink.clear()
  return Buffer.from(bench.server.app.deliveries.get(entry?.id ?? '').raw_body ?? '')
}

/** Deliveries with log, deadline and address rules against the floor, in turns. */
async function throughput(): Promise<string> {
  const sink = await startSink()
  const bench = await createBench([sink.url])
  const body = await bodyOf(bench, sink)
  const COUNT = 4_000
  const ratios = { wall: [] as number[], cpu: [] as number[] }
  const micros = { floor: [] as number[], ours: [] as number[] }
  for (let round = -1; round < ROUNDS; round += 1) {
    const floor = await withCpu(() => sendWithNodeHttp(sink.url, body, COUNT))
    bench.submit(COUNT)
    const ours = await withCpu(() => deliverWaiting(bench, COUNT))
    if (round < 0) continue
    ratios.wall.push(ours.rate / floor.rate)
    ratios.cpu.push(floor.cpu / ours.cpu)
    micros.floor.push(floor.cpu / COUNT)
    micros.ours.push(ours.cpu / COUNT)
  }
  await bench.server.close()
  sink.stop()
  const cpu = `${ratio(median(ratios.cpu))} by processor time: ${median(micros.ours).toFixed(0)} µs against ${median(micros.floor).toFixed(0)}`
  return `| deliveries to one receiver, log, deadline and address rules included, against \`node:http\` with keep-alive | ${ratio(median(ratios.wall))} (${cpu}) | ≥ 1.5× |`
}

/** A measured rate, with the processor time of this process that it took, in microseconds: other work moves it less. */
async function withCpu(run: () => Promise<number>): Promise<{ rate: number; cpu: number }> {
  const before = process.cpuUsage()
  const rate = await run()
  const { user, system } = process.cpuUsage(before)
  return { rate, cpu: user + system }
}

/** 10,000 deliveries that always fail, over the whole schedule, against as many attempts sent flat out. */
async function retries(): Promise<string> {
  const COUNT = 10_000
  const sink = await startSink('500')
  const healthy = await startSink('200')
  const failing = await createBench([sink.url])
  const flat = await createBench([healthy.url])
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
  return `| 60,000 attempts of 10,000 failing deliveries, walked through in one advance of 14.6 h, against as many attempts sent flat out | ${ratio(walked / sent)} | ≥ 0.8× |`
}

/** 100,000 deliveries to healthy receivers, each exactly once. */
async function exactlyOnce(): Promise<string> {
  const sinks = await Promise.all([startSink(), startSink()])
  const bench = await createBench(sinks.map(({ url }) => url))
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
  return `| 100,000 deliveries waiting at once, two receivers: received exactly once | ${once.toLocaleString('en')} | 100,000 |`
}

/** One receiver of 200 hangs: what that does to the others' median time from submission to answer, in paired runs. */
async function hanging(): Promise<string> {
  const sink = await startSink()
  const hung = await startSink('200', 'hang')
  const healthyUrls = Array.from({ length: 199 }, (_, index) => `${sink.url}${index}`)
  const times = { without: [] as number[], with: [] as number[] }
  for (let round = -1; round < ROUNDS * 12; round += 1) {
    // The order changes, so that what drifts falls on both sides alike.
    const sides = round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)
    for (const side of sides) {
      const time = await medianOfOthers(sink, healthyUrls, side === 'with' ? hung.url : sink.url)
      if (round >= 0) times[side].push(time)
    }
  }
  for (const one of [sink, hung]) one.stop()
  const shown = `${((median(times.with) / median(times.without) - 1) * 100).toFixed(1)} %`
  return `| one hanging receiver among 200: change of the others' median | ${shown} | < 10 % |`
}

/** Median milliseconds of the attempts at 199 endpoints, the 200th being somewhere else. */
async function medianOfOthers(sink: Sink, urls: readonly string[], last: string): Promise<number> {
  const bench = await createBench([last, ...urls], 'real')
  const expected = last.startsWith(sink.url) ? urls.length + 1 : urls.length
  await sink.clear()
  for (let burst = 1; burst <= 3; burst += 1) {
    bench.submit(1)
    while ((await sink.count()).requests < burst * expected)
      await new Promise((resolve) => setTimeout(resolve, 5))
  }
  // The last answers are on their way.
  await new Promise((resolve) => setTimeout(resolve, 50))
  const durations = urls.flatMap((_, index) =>
    bench.server.app.deliveries
      .list(bench.formId, index + 2)
      .flatMap(({ id }) =>
        bench.server.app.deliveries.get(id).attempts.map((attempt) => attempt.duration_ms),
      ),
  )
  await bench.server.close()
  return median(durations)
}

const all = { throughput, retries, exactlyOnce, hanging }
const chosen = process.argv.slice(2)
console.log('| what | measured | wanted |\n|---|---|---|')
for (const [name, run] of Object.entries(all)) {
  if (chosen.length === 0 || chosen.includes(name)) console.log(await run())
}
