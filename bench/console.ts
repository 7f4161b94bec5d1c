import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type Console, launchChromium } from '../packages/reference-server/test/browser/console-kit.ts'
import { type BusyServer, serveBusily, startBusily } from './support/busy-server.ts'
import { pinTo } from './support/pin.ts'
import { startSink } from './support/start-sink.ts'
import { median, randomFrom, showChange } from './support/statistics.ts'

/**
 * The console under load: 50 endpoints, 10,000 responses, 100 deliveries a second.
 *
 * - Smoothness: what a frame takes in the page.
 * - What an open console costs the API: two servers that do the same, the console open at one of them, and a caller that
 *   asks now the one, now the other, some 100 ms each, in pairs of random order; then the console moves to the other
 *   server. Compared within each pair are the processor time of the server's own process for a request, whatever else it
 *   did meanwhile included (the deliveries, and at one of them the console's stream), and the median time to an answer.
 *   Servers and caller have one core, the browser has the other.
 *
 * Takes some 100 s with 100 pairs; `FORMWIRE_BENCH_ROUNDS` says how many. Needs two quiet cores and `taskset`.
 *
 *     tsx --conditions=@formwire/source bench/console.ts
 */

const FRAMES_MS = 5_000
const REQUESTS_PER_SLICE = 600
/** Opening a console reads the logs of all endpoints once: what is measured is a console that stays open. */
const SETTLE_MS = 1_500
const PAIRS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 100)
const SERVER_CORE = 0
const BROWSER_CORE = 1

/** Which of a pair is first: the same in each run. */
const random = randomFrom(20_261_121)

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

type Page = Console['page']

/** Runs in the page, as text: what a bundler would add to a function is not there. */
const MEASURE = `(duration, scrolls) => new Promise((resolve, reject) => {
  const gaps = []
  const body = document.querySelector('.grid-body')
  if (!body) return reject(new Error('There is no list in ' + location.hash))
  const end = performance.now() + duration
  let last = performance.now()
  requestAnimationFrame(function frame(now) {
    gaps.push(now - last)
    last = now
    if (scrolls) body.scrollTop = (body.scrollTop + 240) % (body.scrollHeight - body.clientHeight)
    if (now < end) requestAnimationFrame(frame)
    else resolve(gaps.slice(1))
  })
})`

/** Times between frames, in milliseconds. */
const frames = (page: Page, scrolls: boolean): Promise<number[]> =>
  page.evaluate<number[]>(`(${MEASURE})(${FRAMES_MS}, ${scrolls})`)

function reportFrames(what: string, gaps: readonly number[]): void {
  const late = gaps.filter((gap) => gap > 50).length
  print(
    `${what}: ${gaps.length} frames, median ${median(gaps).toFixed(1)} ms, p95 ${percentile(gaps, 0.95).toFixed(1)} ms, ` +
      `p99 ${percentile(gaps, 0.99).toFixed(1)} ms, longest ${Math.max(...gaps).toFixed(1)} ms, ${late} over 50 ms`,
  )
}

/** What one of the two servers spent on a slice of requests, everything else that it did meanwhile included. */
interface Cost {
  /** Processor time of its process for one request, in microseconds. */
  readonly requestUs: number
  /** Median time to an answer, in microseconds. */
  readonly answerUs: number
}

/** One answer of the API. */
function ask(url: string, agent: Agent, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume().once('end', resolve)
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
    }).once('error', reject)
  })
}

/** One caller asks for a list, an item and a page of responses, over and over. */
async function slice(server: BusyServer, agent: Agent): Promise<Cost> {
  const form = `/forms/${server.bigFormId}`
  const paths = ['/forms?per_page=25', form, `${form}/responses?per_page=25`]
  const took: number[] = []
  const before = await server.cpuMs()
  for (let request = 0; request < REQUESTS_PER_SLICE; request++) {
    const begun = performance.now()
    await ask(`${server.url}/api/v1${paths[request % paths.length]}`, agent, server.readKey)
    took.push(performance.now() - begun)
  }
  const cpuMs = (await server.cpuMs()) - before
  return { requestUs: (cpuMs * 1_000) / REQUESTS_PER_SLICE, answerUs: median(took) * 1_000 }
}

/** Pairs of slices, in random order: one of the server whose console is open, one of the other. */
async function pairs(open: BusyServer, closed: BusyServer): Promise<{ open: Cost; closed: Cost }[]> {
  const agent = new Agent({ keepAlive: true })
  // What is compiled and grown by the first requests is no cost of a console.
  for (let warm = 0; warm < 10; warm++) for (const server of [open, closed]) await slice(server, agent)
  const measured: { open: Cost; closed: Cost }[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    if (random() < 0.5) {
      const cost = await slice(open, agent)
      measured.push({ open: cost, closed: await slice(closed, agent) })
    } else {
      const cost = await slice(closed, agent)
      measured.push({ open: await slice(open, agent), closed: cost })
    }
  }
  agent.destroy()
  return measured
}

async function compare(
  servers: readonly [BusyServer, BusyServer],
  openConsole: (server: BusyServer) => Promise<void>,
): Promise<void> {
  const [one, other] = servers
  await openConsole(one)
  const first = await pairs(one, other)
  await openConsole(other)
  const second = await pairs(other, one)

  const report = (what: string, part: (cost: Cost) => number): void => {
    const ratio = ({ open, closed }: { open: Cost; closed: Cost }) => part(open) / part(closed)
    // Each server was open once: what one of them is slower by anyway falls out of the mean.
    const changes = first.map((pair, at) => Math.sqrt(ratio(pair) * ratio(second[at] as typeof pair)) - 1)
    const of = (side: 'open' | 'closed') =>
      median([...first, ...second].map((pair) => part(pair[side]))).toFixed(1)
    print(`${what}: ${of('closed')} µs closed, ${of('open')} µs open, change ${showChange(changes, random)}`)
  }
  report('processor time of the server for a request', ({ requestUs }) => requestUs)
  report('median time to an answer', ({ answerUs }) => answerUs)
}

async function run(): Promise<void> {
  const browserCore = pinTo(BROWSER_CORE)
  const browser = await launchChromium()
  const serverCore = pinTo(SERVER_CORE)
  if (browserCore === undefined || serverCore === undefined)
    print(
      'No core could be set apart (taskset): the browser and the server share them, the figures hold less.',
    )
  const sink = await startSink()
  const script = fileURLToPath(import.meta.url)
  const servers = [await startBusily(script, sink.url), await startBusily(script, sink.url)] as const
  const [server] = servers
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const openConsole = async (at: BusyServer) => {
      await page.goto(`${at.url}/_app/console#token=${at.adminToken}`)
      await page.getByTestId('stream').getByText('Live').waitFor()
      await page.locator('.grid-body [role=row]').first().waitFor()
      await sleep(SETTLE_MS)
    }
    await openConsole(server)
    reportFrames('delivery log, live', await frames(page, false))
    reportFrames('delivery log, live and scrolled', await frames(page, true))
    print(`rows in the page: ${await page.locator('[role=row]').count()}`)
    await page.goto(`${server.url}/_app/console#/forms/${server.bigFormId}`)
    await page.getByRole('grid', { name: 'Responses' }).locator('.grid-body [role=row]').first().waitFor()
    reportFrames('10,000 responses, scrolled', await frames(page, true))
    await compare(servers, openConsole)
  } finally {
    for (const { stop } of servers) stop()
    sink.stop()
    await browser.close()
  }
}

const [command, target] = process.argv.slice(2)
if (command === 'serve' && target) await serveBusily(target)
else await run()
