import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Console, launchChromium } from '../packages/reference-server/test/browser/console-kit.ts'
import { type BusyServer, serveBusily } from './support/busy-server.ts'

/**
 * The console under load: 50 endpoints, 10,000 responses, 100 deliveries a second. What a frame takes in the page, and
 * what the open console costs the server: processor time of the server's own process for the same API requests and
 * deliveries, with the console closed and open, in turns.
 *
 *     tsx --conditions=@formwire/source bench/console.ts
 */

const PHASE_MS = 5_000
const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 3)
const API_REQUESTS_PER_SECOND = 200

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const percentile = (values: number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

const median = (values: number[]): number => percentile(values, 0.5)

type Page = Console['page']

/** Runs in the page, as text: what a bundler would add to a function is not there. */
const MEASURE = `(duration, scrolls) => new Promise((resolve) => {
  const gaps = []
  const body = document.querySelector('.grid-body')
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
const frames = (page: Page, ms: number, scrolls: boolean): Promise<number[]> =>
  page.evaluate<number[]>(`(${MEASURE})(${ms}, ${scrolls})`)

/** Asks the API at a steady pace, and gives how long each answer took. */
async function askApi(url: string, key: string, ms: number): Promise<number[]> {
  const took: number[] = []
  const pending: Promise<void>[] = []
  const end = performance.now() + ms
  for (let next = performance.now(); next < end; next += 1_000 / API_REQUESTS_PER_SECOND) {
    const early = next - performance.now()
    if (early > 0) await sleep(early)
    const begun = performance.now()
    pending.push(
      fetch(`${url}/api/v1/forms?per_page=25`, { headers: { authorization: `Bearer ${key}` } })
        .then((response) => response.text())
        .then(() => {
          took.push(performance.now() - begun)
        }),
    )
  }
  await Promise.all(pending)
  return took
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [answer] = (await once(child, 'message')) as [{ cpuMs: number }]
  return answer.cpuMs
}

async function run(): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: process.execArgv })
  const [server] = (await once(child, 'message')) as [BusyServer]
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const console_ = `${server.url}/_app/console#token=${server.adminToken}`

    await page.goto(console_)
    await page.getByTestId('stream').getByText('Live').waitFor()
    await page.locator('.grid-body [role=row]').first().waitFor()
    await sleep(1_000)
    report('delivery log, live', await frames(page, PHASE_MS, false))
    report('delivery log, live and scrolled', await frames(page, PHASE_MS, true))
    process.stdout.write(`rows in the page: ${await page.locator('[role=row]').count()}\n`)

    await page.goto(`${server.url}/_app/console#/forms/${server.bigFormId}`)
    await page.getByText('10,0').first().waitFor()
    report('10,000 responses, scrolled', await frames(page, PHASE_MS, true))

    const closed: number[] = []
    const open: number[] = []
    const closedTook: number[] = []
    const openTook: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      for (const isOpen of [false, true]) {
        await page.goto(isOpen ? console_ : 'about:blank')
        // Opening reads the logs of all endpoints once: what is measured is a console that stays open.
        await sleep(4_000)
        const before = await cpuOf(child)
        const took = await askApi(server.url, server.readKey, PHASE_MS)
        const cpu = (await cpuOf(child)) - before
        ;(isOpen ? open : closed).push(cpu)
        ;(isOpen ? openTook : closedTook).push(...took)
      }
    }
    const cost = median(open) - median(closed)
    process.stdout.write(
      `server, ${(PHASE_MS / 1_000) * API_REQUESTS_PER_SECOND} API requests and ${(PHASE_MS / 1_000) * 100} deliveries in ${PHASE_MS / 1_000} s: ` +
        `${median(closed).toFixed(0)} ms of processor time with the console closed, ${median(open).toFixed(0)} ms open: ` +
        `${((cost / PHASE_MS) * 100).toFixed(2)} % of the core that answers the API\n` +
        `API answer, median: ${median(closedTook).toFixed(2)} ms closed, ${median(openTook).toFixed(2)} ms open\n`,
    )
  } finally {
    await browser.close()
    child.kill()
  }
}

function report(what: string, gaps: number[]): void {
  const late = gaps.filter((gap) => gap > 50).length
  process.stdout.write(
    `${what}: ${gaps.length} frames, median ${median(gaps).toFixed(1)} ms, p95 ${percentile(gaps, 0.95).toFixed(1)} ms, ` +
      `p99 ${percentile(gaps, 0.99).toFixed(1)} ms, longest ${Math.max(...gaps).toFixed(1)} ms, ${late} over 50 ms\n`,
  )
}

if (process.argv[2] === 'serve') await serveBusily()
else await run()
