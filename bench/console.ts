import { execFileSync } from 'node:child_process'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Console, launchChromium } from '../packages/reference-server/test/browser/console-kit.ts'
import type { Listening } from './support/busy-server.ts'
import { type Child, startChild } from './support/child.ts'
import { startSink } from './support/start-sink.ts'
import { median, quantile, randomFrom, showChange } from './support/statistics.ts'

/**
 * Measures the console under load: 50 endpoints, 10,000 responses, 100 deliveries per second.
 *
 * - Smoothness: the time between frames in the page.
 * - The cost of an open console for the API: two servers with the same load, one with an open console. A client sends
 *   slices of requests of some 100 ms to both, in pairs of random order; then the console moves to the other server. Each
 *   pair compares the processor time of the server process per request, deliveries and stream included, and the median
 *   response time. Servers and client share one core, the browser has the other.
 *
 * Takes some 100 s with 100 pairs (`FORMWIRE_BENCH_ROUNDS`). Needs two quiet cores and `taskset`.
 *
 *     tsx --conditions=@formwire/source bench/console.ts
 */

const FRAMES_MS = 5_000
const REQUESTS_PER_SLICE = 600
/** Opening a console reads the logs of all endpoints once, which is not measured. */
const SETTLE_MS = 1_500
const PAIRS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 100)
const SERVER_CORE = 0
const BROWSER_CORE = 1

/** The order of each pair, the same in every run. */
const random = randomFrom(20_261_121)

type Page = Console['page']
type BusyServer = Child<Listening>

/** Runs in the page. A string, since a bundler would add helpers to a function. */
const MEASURE = `(duration, scrolls) => new Promise((resolve, reject) => {
  const gaps = []
  const body = document.querySelector('.grid')
  if (!body) return reject(new Error('No list found at ' + location.hash))
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
  console.log(
    `${what}: ${gaps.length} frames, median ${median(gaps).toFixed(1)} ms, p95 ${quantile(gaps, 0.95).toFixed(1)} ms, ` +
      `p99 ${quantile(gaps, 0.99).toFixed(1)} ms, longest ${Math.max(...gaps).toFixed(1)} ms, ${late} over 50 ms`,
  )
}

/** The cost of a slice of requests, including everything else the server did meanwhile. */
interface Cost {
  /** Processor time of the server process per request, in microseconds. */
  readonly requestUs: number
  /** Median response time, in microseconds. */
  readonly responseUs: number
}

/** Sends one request to the API. */
function callApi(url: string, agent: Agent, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume().once('end', resolve)
      if (response.statusCode !== 200) reject(new Error(`GET ${url} returned ${response.statusCode}`))
    }).once('error', reject)
  })
}

const cpuMsOf = async (server: BusyServer) => (await server.ask<{ cpuMs: number }>('cpu')).cpuMs

/** Requests a list, an item and a page of responses in turn. */
async function slice(server: BusyServer, agent: Agent): Promise<Cost> {
  const { url, readKey, bigFormId } = server.ready
  const form = `/forms/${bigFormId}`
  const paths = ['/forms?per_page=25', form, `${form}/responses?per_page=25`]
  const took: number[] = []
  const before = await cpuMsOf(server)
  for (let request = 0; request < REQUESTS_PER_SLICE; request++) {
    const begun = performance.now()
    await callApi(`${url}/api/v1${paths[request % paths.length]}`, agent, readKey)
    took.push(performance.now() - begun)
  }
  const cpuMs = (await cpuMsOf(server)) - before
  return { requestUs: (cpuMs * 1_000) / REQUESTS_PER_SLICE, responseUs: median(took) * 1_000 }
}

/** Measures pairs of slices in random order: one with an open console, one without. */
async function pairs(open: BusyServer, closed: BusyServer): Promise<{ open: Cost; closed: Cost }[]> {
  const agent = new Agent({ keepAlive: true })
  // Warm-up.
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
    // Each server had the console once, so a constant difference between them cancels out.
    const changes = first.map((pair, at) => Math.sqrt(ratio(pair) * ratio(second[at] as typeof pair)) - 1)
    const of = (side: 'open' | 'closed') =>
      median([...first, ...second].map((pair) => part(pair[side]))).toFixed(1)
    console.log(
      `${what}: ${of('closed')} µs closed, ${of('open')} µs open, change ${showChange(changes, random)}`,
    )
  }
  report('processor time of the server per request', ({ requestUs }) => requestUs)
  report('median response time', ({ responseUs }) => responseUs)
}

/**
 * Pins this process and its future children to one core. Returns `undefined` without `taskset` or access to the core; the
 * figures are then less reliable.
 */
function pinTo(core: number): number | undefined {
  try {
    execFileSync('taskset', ['-acp', String(core), String(process.pid)], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    return core
  } catch {
    return undefined
  }
}

const browserCore = pinTo(BROWSER_CORE)
const browser = await launchChromium()
const serverCore = pinTo(SERVER_CORE)
if (browserCore === undefined || serverCore === undefined)
  console.log(
    'Could not pin processes to cores (taskset): browser and server share them, so the figures are less reliable.',
  )
const sink = await startSink()
const startBusy = () => startChild<Listening>(new URL('support/busy-server.ts', import.meta.url), [sink.url])
const servers = [await startBusy(), await startBusy()] as const
const { url: base, bigFormId } = servers[0].ready
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const openConsole = async ({ ready }: BusyServer) => {
    await page.goto(`${ready.url}/_app/console#token=${ready.adminToken}`)
    await page.getByTestId('stream').getByText('Live').waitFor()
    await page.locator('.grid-body [role=row]').first().waitFor()
    await sleep(SETTLE_MS)
  }
  await openConsole(servers[0])
  reportFrames('delivery log, live', await frames(page, false))
  reportFrames('delivery log, live and scrolled', await frames(page, true))
  console.log(`rows in the page: ${await page.locator('[role=row]').count()}`)
  await page.goto(`${base}/_app/console#/forms/${bigFormId}`)
  await page.getByRole('grid', { name: 'Responses' }).locator('.grid-body [role=row]').first().waitFor()
  reportFrames('10,000 responses, scrolled', await frames(page, true))
  await compare(servers, openConsole)
} finally {
  for (const { stop } of servers) stop()
  sink.stop()
  await browser.close()
}
