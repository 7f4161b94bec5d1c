/**
 * Compares the API of the reference server with a bare `node:http` server that writes prepared strings of the same size:
 * throughput of a list of 25 and of one item, time from start to the first 200 (both use the build, so build first), and
 * how the cost of a request grows with the number of responses. The servers run on core 0.
 *
 *     npx -y pnpm@12 bench rest
 */
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createReferenceServer } from '@formwire/reference-server'
import autocannon from 'autocannon'
import { type Spawned, spawnServer, stop } from './support/spawn-server.ts'
import { median } from './support/statistics.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)
const STARTS = Number(process.env.BENCH_STARTS ?? 15)
const RESPONSES = Number(process.env.BENCH_RESPONSES ?? 1_000_000)

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
/** A form with eight questions and one answer to each: a response of some 1.3 kB, like that of a small survey. */
const { questions: QUESTIONS, answers: ANSWERS } = JSON.parse(
  readFileSync(path('support/rest-data.json'), 'utf8'),
) as {
  questions: { id: string; type: string; title: string }[]
  answers: { question_id: string; value: unknown }[]
}
const report = (name: string, value: number, unit: string, goal: string): void =>
  console.log(`${name.padEnd(52)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(6)} ${goal}`)

async function requestsPerSecond(url: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const { requests, non2xx, errors } = await autocannon({ url, headers, connections: 32, duration: SECONDS })
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed`)
  return requests.average
}

async function throughput(): Promise<void> {
  const ours = await spawnServer([path('support/rest-server.mjs'), 'formwire'], { core: 0 })
  const bodyOf = async (target: string) =>
    (
      await fetch(`${ours.line.url}${target}`, { headers: { authorization: `Bearer ${ours.line.key}` } })
    ).text()
  const bodies = {
    list: await bodyOf(ours.line.list as string),
    item: await bodyOf(ours.line.item as string),
  }
  const bare = await spawnServer([path('support/rest-server.mjs'), 'bare'], {
    core: 0,
    env: { BODIES: JSON.stringify(bodies) },
  })
  for (const [what, goal] of [
    ['list', 0.75],
    ['item', 0.85],
  ] as const) {
    // Both servers get the same requests.
    const { key = '', [what]: target } = ours.line
    const of = ({ line }: Spawned) => requestsPerSecond(`${line.url}${target}`, key)
    await of(bare)
    await of(ours)
    const ratios: number[] = []
    const rates: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const baseline = await of(bare)
      rates.push(await of(ours))
      ratios.push((rates.at(-1) as number) / baseline)
    }
    const size = `${(bodies[what].length / 1000).toFixed(1)} kB`
    report(
      `${what === 'list' ? 'list of 25' : 'one item'} (${size}), × bare`,
      median(ratios),
      '×',
      `goal ≥ ${goal}; ${Math.round(median(rates))}/s`,
    )
  }
  await Promise.all([stop(ours), stop(bare)])
}

async function timeToFirstResponse(args: string[], target: string): Promise<number> {
  const from = performance.now()
  const server = await spawnServer(args)
  const { url, read_key: key } = server.line
  await new Promise<void>((resolve, reject) => {
    get(
      `${url}${target}`,
      { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`GET ${target} returned ${response.statusCode}`))
        response.resume().once('end', resolve)
      },
    ).once('error', reject)
  })
  const took = performance.now() - from
  await stop(server)
  return took
}

async function start(): Promise<void> {
  const bare: number[] = []
  const ours: number[] = []
  for (let i = 0; i < STARTS; i += 1) {
    bare.push(await timeToFirstResponse([path('support/rest-server.mjs'), 'bare'], '/'))
    ours.push(
      await timeToFirstResponse(
        [path('../packages/reference-server/dist/bin.js'), '--port', '0', '--seed', 'empty', '--json'],
        '/api/v1/me',
      ),
    )
  }
  report(
    'start to the first 200, × bare',
    median(ours) / median(bare),
    '×',
    `goal ≤ 1.6; ${Math.round(median(ours))} ms`,
  )
}

/** Returns the processor time of the main thread in microseconds, or the wall-clock time where it is not available. */
function processorMicros(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
  } catch {
    return performance.now() * 1000
  }
}

type Call = () => Promise<unknown> | unknown

/** Returns the microseconds per call. Enough calls to spread garbage collections evenly. */
async function timeOf(call: Call, count = 4000): Promise<number> {
  const from = processorMicros()
  for (let i = 0; i < count; i += 1) await call()
  return (processorMicros() - from) / count
}

/** Returns the cost of a call relative to the baseline, measured in alternating rounds, and its microseconds. */
async function ratioOf(call: Call, baseline: Call): Promise<{ ratio: number; time: number }> {
  const times: number[] = []
  const ratios: number[] = []
  for (let round = -2; round < 9; round += 1) {
    const baselineTime = await timeOf(baseline)
    const time = await timeOf(call)
    if (round < 0) continue
    times.push(time)
    ratios.push(time / baselineTime)
  }
  return { ratio: median(ratios), time: median(times) }
}

async function formOf(count: number) {
  const server = createReferenceServer({ limits: 'off' })
  const { app } = server
  const form = app.forms.create({ title: 'Growth', questions: QUESTIONS })
  app.forms.publish(form.id)
  const before = memory()
  const begin = Date.UTC(2020, 0, 1)
  for (let i = 0; i < count; i += 1) {
    app.responses.create(form.id, {
      answers: ANSWERS,
      submitted_at: new Date(begin + i * 1000).toISOString(),
    })
  }
  const bytes = (memory() - before) / count
  const firstPage = async () => {
    const response = await server.fetch(`http://x/api/v1/forms/${form.id}/responses`, {
      headers: { authorization: `Bearer ${server.readKey}` },
    })
    if (response.status !== 200) throw new Error(`The list returned ${response.status}`)
    await response.text()
  }
  return { bytes, firstPage }
}

function memory(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

async function growth(): Promise<void> {
  const small = await formOf(1000)
  const large = await formOf(RESPONSES)
  const { ratio, time } = await ratioOf(large.firstPage, small.firstPage)
  const what = `first page, ${RESPONSES.toLocaleString('en')} responses × 1,000`
  report(what, ratio, '×', `goal ≤ 1.3; ${time.toFixed(0)} µs of CPU`)
  report('memory of one response', large.bytes, 'bytes', globalThis.gc ? '' : '(run with --expose-gc)')
}

const only = process.argv[2]
if (only === undefined || only === 'throughput') await throughput()
if (only === undefined || only === 'start') await start()
if (only === undefined || only === 'growth') await growth()
