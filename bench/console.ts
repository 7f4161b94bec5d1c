import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type Console, launchChromium } from '../packages/reference-server/test/browser/console-kit.ts'
import { type BusyServer, serveBusily, startBusily } from './support/busy-server.ts'
import { pinTo } from './support/pin.ts'
import { startSink } from './support/start-sink.ts'

/**
 * The console under load: 50 endpoints, 10,000 responses, 100 deliveries a second.
 *
 * - Smoothness: what a frame takes in the page.
 * - What an open console costs the API: pairs of rounds, console closed and console open, in alternating order. Each
 *   round first only delivers, then one caller asks the API without a pause. Counted is the processor time of the
 *   server's own process, nothing of another one: what a second of deliveries costs (with the console's stream in it, when
 *   it is open), what a request costs beside that, and so how many requests a second one core would answer. Beside it the
 *   median time to an answer. The server and the caller have one core, the browser has the other, so that it takes
 *   nothing from them but what it asks for.
 *
 * Takes some 130 s with 10 pairs; `FORMWIRE_BENCH_ROUNDS` says how many. Needs two quiet cores and `taskset`.
 *
 *     tsx --conditions=@formwire/source bench/console.ts
 */

const FRAMES_MS = 5_000
const IDLE_MS = 2_000
const ROUND_MS = 2_000
/** Opening a console reads the logs of all endpoints once: what is measured is a console that stays open. */
const SETTLE_MS = 1_500
const PAIRS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 10)
const SERVER_CORE = 0
const BROWSER_CORE = 1

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

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

interface Cost {
  /** Processor time of the server in a second in which nobody asks the API, in milliseconds. */
  readonly deliveringMs: number
  /** Processor time of a request beside that, in microseconds. */
  readonly requestUs: number
  /** Median time to an answer, in microseconds. */
  readonly answerUs: number
}

/** Requests a second that a core answers beside the deliveries. */
const capacity = ({ deliveringMs, requestUs }: Cost): number => (1_000 - deliveringMs) / (requestUs / 1_000)

/** One answer of the API. */
function ask(url: string, agent: Agent, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume().once('end', resolve)
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
    }).once('error', reject)
  })
}

/** Only delivers for a while, then lets one caller ask for a list, an item and a page of responses, over and over. */
async function round(server: BusyServer): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const form = `/forms/${server.bigFormId}`
  const paths = ['/forms?per_page=25', form, `${form}/responses?per_page=25`]
  const took: number[] = []
  const lap = async () => ({ cpuMs: await server.cpuMs(), at: performance.now() })

  const start = await lap()
  await sleep(IDLE_MS)
  const idle = await lap()
  const end = idle.at + ROUND_MS
  while (performance.now() < end) {
    const begun = performance.now()
    for (const path of paths) await ask(`${server.url}/api/v1${path}`, agent, server.readKey)
    took.push((performance.now() - begun) / paths.length)
  }
  const asked = await lap()
  agent.destroy()

  const perMs = (idle.cpuMs - start.cpuMs) / (idle.at - start.at)
  const ofRequestsMs = asked.cpuMs - idle.cpuMs - perMs * (asked.at - idle.at)
  return {
    deliveringMs: perMs * 1_000,
    requestUs: (ofRequestsMs * 1_000) / (took.length * paths.length),
    answerUs: median(took) * 1_000,
  }
}

/** A ratio of each pair: its median, its quartiles, and all of its range. */
function reportRatios(what: string, ratios: readonly number[]): void {
  const [low, first, third, high] = [0, 0.25, 0.75, 1].map((share) => percentile(ratios, share).toFixed(3))
  print(
    `${what}, open against closed: median ${median(ratios).toFixed(3)}, quartiles ${first} to ${third}, range ${low} to ${high}`,
  )
}

async function compare(page: Page, server: BusyServer, openConsole: () => Promise<void>): Promise<void> {
  const pairs: { closed: Cost; open: Cost }[] = []
  const costOf = async (isOpen: boolean): Promise<Cost> => {
    if (isOpen) await openConsole()
    else await page.goto('about:blank')
    await sleep(SETTLE_MS)
    return round(server)
  }
  // What is compiled and grown by the first requests is no cost of a console.
  await costOf(false)
  for (let number = 0; number < PAIRS; number++) {
    const openFirst = number % 2 === 1
    const first = await costOf(openFirst)
    const second = await costOf(!openFirst)
    pairs.push(openFirst ? { open: first, closed: second } : { closed: first, open: second })
  }
  for (const [at, name] of [
    ['closed', 'console closed'],
    ['open', 'console open'],
  ] as const) {
    const of = (part: (cost: Cost) => number) => median(pairs.map((pair) => part(pair[at])))
    print(
      `${name}, medians: ${of(({ deliveringMs }) => deliveringMs).toFixed(1)} ms of processor time a second for the deliveries, ` +
        `${of(({ requestUs }) => requestUs).toFixed(1)} µs a request beside them: ` +
        `${of(capacity).toFixed(0)} requests a second; an answer after ${of(({ answerUs }) => answerUs).toFixed(0)} µs`,
    )
  }
  const ratios = (part: (cost: Cost) => number) => pairs.map(({ open, closed }) => part(open) / part(closed))
  reportRatios('requests a second of a core', ratios(capacity))
  reportRatios(
    'processor time of a request',
    ratios(({ requestUs }) => requestUs),
  )
  reportRatios(
    'median time to an answer',
    ratios(({ answerUs }) => answerUs),
  )
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
  const server = await startBusily(fileURLToPath(import.meta.url), sink.url)
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const openConsole = async () => {
      await page.goto(`${server.url}/_app/console#token=${server.adminToken}`)
      await page.getByTestId('stream').getByText('Live').waitFor()
      await page.locator('.grid-body [role=row]').first().waitFor()
    }
    await openConsole()
    await sleep(SETTLE_MS)
    reportFrames('delivery log, live', await frames(page, false))
    reportFrames('delivery log, live and scrolled', await frames(page, true))
    print(`rows in the page: ${await page.locator('[role=row]').count()}`)
    await page.goto(`${server.url}/_app/console#/forms/${server.bigFormId}`)
    await page.getByRole('grid', { name: 'Responses' }).locator('.grid-body [role=row]').first().waitFor()
    reportFrames('10,000 responses, scrolled', await frames(page, true))
    await compare(page, server, openConsole)
  } finally {
    server.stop()
    sink.stop()
    await browser.close()
  }
}

const [command, target] = process.argv.slice(2)
if (command === 'serve' && target) await serveBusily(target)
else await run()
