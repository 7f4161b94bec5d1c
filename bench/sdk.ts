/**
 * Calls of the SDK against the transport under them used bare: same server, same process, same keep-alive connections, the
 * JSON parsed on both sides. Once with calls at once, by processor time of this process, and once one after another, by the
 * clock. Median of interleaved rounds. Then the time to import the SDK against an empty module. Both on the built SDK: build first.
 *
 *     npx -y pnpm@12 bench sdk
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get, Agent as HttpAgent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Sdk from '@formwire/sdk'
import type * as SdkNode from '@formwire/sdk/node'
import type * as SdkUndici from '@formwire/sdk/undici'
import { Agent, request } from 'undici'
import { median } from './support/statistics.ts'

/** What users run is the build; sources through tsx would carry its wrapper around every inner function. */
const built = (name: string): string => new URL(`../packages/sdk/dist/${name}.js`, import.meta.url).href
const { Formwire } = (await import(built('index'))) as typeof Sdk
const { nodeTransport } = (await import(built('node'))) as typeof SdkNode
const { undiciTransport } = (await import(built('undici'))) as typeof SdkUndici

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const CALLS = Number(process.env.BENCH_CALLS ?? 3000)
const CONCURRENCY = 16
const STARTS = Number(process.env.BENCH_STARTS ?? 21)

const report = (name: string, value: number, goal: string): void =>
  console.log(`${name.padEnd(72)} ${value.toFixed(2).padStart(6)} ×   ${goal}`)

/** A server that answers every request with one ready response of some 1 kB; its port on stdout. */
const SERVER = `
const body = JSON.stringify({ data: { id: 'abcdefghijkl', title: 'Bench', status: 'published', about: 'x'.repeat(900) } })
require('node:http')
  .createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
  .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

type Call = () => PromiseLike<unknown>

/** Calls a microsecond, in some way of counting. */
type Rate = (call: Call) => Promise<number>

/** Some at once, by the processor time of this process. */
const atOnce: Rate = async (call) => {
  let left = CALLS
  const started = process.cpuUsage()
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await call()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  const { user, system } = process.cpuUsage(started)
  return CALLS / (user + system)
}

/** One after another, by the clock: what a single caller waits. */
const inTurn: Rate = async (call) => {
  const started = performance.now()
  for (let number = 0; number < CALLS; number += 1) await call()
  return CALLS / (performance.now() - started) / 1_000
}

async function compare(name: string, floor: Call, ours: Call, goal: string): Promise<void> {
  report(`${name}, ${CONCURRENCY} at once, processor time`, await ratioOf(atOnce, floor, ours), goal)
  report(`${name}, one after another, by the clock`, await ratioOf(inTurn, floor, ours), goal)
}

async function ratioOf(rate: Rate, floor: Call, ours: Call): Promise<number> {
  await rate(floor)
  await rate(ours)
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // In turns, so that neither gains from coming second.
    const [first, second] = round % 2 === 0 ? [floor, ours] : [ours, floor]
    const [a, b] = [await rate(first), await rate(second)]
    ratios.push(round % 2 === 0 ? b / a : a / b)
  }
  return median(ratios)
}

/**
 * The least that a call of any client has to do over a transport: a deadline that ends it, a look at status and content
 * type, the JSON. No retries, no budget, no hooks: what is lost here is lost to the SDK before it begins.
 */
function leastOver(transport: Sdk.Transport, url: string, headers: Record<string, string>): Call {
  return () =>
    new Promise((resolve, reject) => {
      const ends: (() => void)[] = []
      const timer = setTimeout(() => {
        for (const end of ends) end()
        reject(new Error('too late'))
      }, 30_000)
      transport({
        url,
        method: 'GET',
        headers: { ...headers },
        body: undefined,
        get signal() {
          const controller = new AbortController()
          ends.push(() => controller.abort())
          return controller.signal
        },
        onAbort: (end) => ends.push(end),
      }).then((response) => {
        clearTimeout(timer)
        const isJson = /[/+]json\b/i.test(response.headers.get('content-type') ?? '')
        if (response.status !== 200 || !isJson) reject(new Error(`answered ${response.status}`))
        else resolve(JSON.parse(response.body))
      }, reject)
    })
}

/** What the SDK's default transport does, by itself. */
const overFetch: Sdk.Transport = async ({ url, method, headers, signal }) => {
  const response = await fetch(url, { method, headers, redirect: 'manual', signal })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

function bareHttp(url: string, headers: Record<string, string>, agent: HttpAgent): Call {
  return () =>
    new Promise((resolve, reject) => {
      get(url, { headers, agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
        response.on('error', reject)
      }).on('error', reject)
    })
}

async function calls(): Promise<void> {
  const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer]
    const baseUrl = `http://127.0.0.1:${String(port).trim()}`
    const url = `${baseUrl}/api/v1/forms/abcdefghijkl`
    const headers = { authorization: 'Bearer svc_bench', accept: 'application/json' }
    const options = { apiKey: 'svc_bench', baseUrl, rateLimit: false } as const
    const client = (transport?: ReturnType<typeof nodeTransport>): Call => {
      const { forms } = new Formwire({ ...options, ...(transport ? { transport } : {}) })
      return () => forms.get('abcdefghijkl')
    }

    await compare(
      'default against fetch',
      async () => (await fetch(url, { headers })).json(),
      client(),
      '≥ 0.90',
    )
    const sent = { ...headers, 'user-agent': 'bench' }
    await compare(
      '  the least over fetch',
      async () => (await fetch(url, { headers })).json(),
      leastOver(overFetch, url, sent),
      '–',
    )
    const dispatcher = new Agent({ connections: CONCURRENCY })
    await compare(
      '/undici against undici.request',
      async () => (await request(url, { headers, dispatcher })).body.json(),
      client(undiciTransport({ dispatcher })),
      '≥ 0.85',
    )
    const agent = new HttpAgent({ keepAlive: true, maxSockets: CONCURRENCY })
    await compare(
      '/node against node:http',
      bareHttp(url, headers, agent),
      client(nodeTransport({ agent })),
      '≥ 0.90',
    )
    await compare(
      '  the least over node:http',
      bareHttp(url, headers, agent),
      leastOver(nodeTransport({ agent }), url, sent),
      '–',
    )
    await dispatcher.close()
    agent.destroy()
  } finally {
    server.kill()
  }
}

/** Milliseconds from start to end of a Node process that imports one module. */
function importTime(file: string): number {
  // With extra certificates Node starts three times as slowly, which flatters every ratio.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const started = performance.now()
  const { status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `import ${JSON.stringify(pathToFileURL(file).href)}`],
    { env },
  )
  if (status !== 0) throw new Error(`importing ${file} ended with ${status}: build first`)
  return performance.now() - started
}

async function imports(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'formwire-bench-'))
  try {
    const empty = join(directory, 'empty.mjs')
    writeFileSync(empty, 'export {}\n')
    const dist = (name: string): string =>
      fileURLToPath(new URL(`../packages/sdk/dist/${name}.js`, import.meta.url))
    for (const [name, file] of [
      ['import of the core against an empty module', dist('index')],
      ['import of /node against an empty module', dist('node')],
    ] as const) {
      const ratios = Array.from({ length: STARTS }, () => importTime(file) / importTime(empty))
      report(name, median(ratios), 'lower is better')
    }
  } finally {
    await rm(directory, { recursive: true })
  }
}

await calls()
await imports()
