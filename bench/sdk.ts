/**
 * Compares calls of the SDK with direct calls of its transport: same server, same keep-alive connections, JSON parsed on
 * both sides. Measures sequential calls by wall-clock time and concurrent calls by processor time, in rounds of short
 * slices in random order. Also compares importing the SDK with importing an empty module. Uses the build: build first.
 *
 *     npx -y pnpm@12 bench sdk
 */
import { get, Agent as HttpAgent } from 'node:http'
import { fileURLToPath } from 'node:url'
import type * as Sdk from '@formwire/sdk'
import type * as SdkNode from '@formwire/sdk/node'
import type * as SdkUndici from '@formwire/sdk/undici'
import { Agent, request } from 'undici'
import { spawnServer, stop } from './support/spawn-server.ts'
import { importing, startTimes } from './support/start-times.ts'
import { median, randomFrom, shuffled } from './support/statistics.ts'

/** Users run the build. tsx would add a wrapper around every inner function of the sources. */
const built = (name: string): string => new URL(`../packages/sdk/dist/${name}.js`, import.meta.url).href
const { Formwire } = (await import(built('index'))) as typeof Sdk
const { nodeTransport } = (await import(built('node'))) as typeof SdkNode
const { undiciTransport } = (await import(built('undici'))) as typeof SdkUndici

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 100)
const CALLS_PER_SLICE = 300
const WARM_UP_CALLS = 6_000
const CONCURRENCY = 16
const STARTS = Number(process.env.BENCH_STARTS ?? 21)

/** The order within a round, the same in every run. */
const random = randomFrom(20_261_121)

const report = (name: string, value: number, goal: string): void =>
  console.log(`${name.padEnd(72)} ${value.toFixed(2).padStart(6)} ×   ${goal}`)

/** The response of the server, of some 1 kB. */
const ITEM = JSON.stringify({
  data: { id: 'abcdefghijkl', title: 'Bench', status: 'published', about: 'x'.repeat(900) },
})

type Call = () => PromiseLike<unknown>

/** The time of a slice, in milliseconds. */
interface Slice {
  clock: number
  processor: number
}

async function slice(call: Call, callers: number, calls: number): Promise<Slice> {
  let left = calls
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await call()
    }
  }
  const [processor, clock] = [process.cpuUsage(), performance.now()]
  await Promise.all(Array.from({ length: callers }, caller))
  const { user, system } = process.cpuUsage(processor)
  return { clock: performance.now() - clock, processor: (user + system) / 1_000 }
}

/** Measures slices of every contender in rounds. */
async function measure<Name extends string>(
  contenders: Record<Name, Call>,
  callers: number,
): Promise<Record<Name, Slice[]>> {
  const names = Object.keys(contenders) as Name[]
  const slices = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Slice[]>
  for (const name of names) await slice(contenders[name], callers, WARM_UP_CALLS)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of shuffled(names, random))
      slices[name].push(await slice(contenders[name], callers, CALLS_PER_SLICE))
  }
  return slices
}

/** Speed of `ours` relative to the baseline: the median of the rounds by the clock, the total by processor time. */
const byClock = (baseline: Slice[], ours: Slice[]): number =>
  median(baseline.map(({ clock }, round) => clock / (ours[round] as Slice).clock))
const byProcessor = (baseline: Slice[], ours: Slice[]): number => processorOf(baseline) / processorOf(ours)
const processorOf = (slices: Slice[]): number => slices.reduce((sum, { processor }) => sum + processor, 0)

/** Prints the speed of each contender relative to `baseline`, by default the first. */
async function compare(
  contenders: Record<string, Call>,
  goals: Record<string, string>,
  baseline = Object.keys(contenders)[0] ?? '',
): Promise<void> {
  const [sequential, concurrent] = [await measure(contenders, 1), await measure(contenders, CONCURRENCY)]
  const others = Object.keys(contenders).filter((name) => name !== baseline)
  for (const name of others) {
    const goal = goals[name] ?? '–'
    const pair = (slices: Record<string, Slice[]>) => [slices[baseline] ?? [], slices[name] ?? []] as const
    report(`${name} / ${baseline}, sequential, wall clock`, byClock(...pair(sequential)), goal)
    report(
      `${name} / ${baseline}, ${CONCURRENCY} concurrent, processor time`,
      byProcessor(...pair(concurrent)),
      goal,
    )
  }
}

/**
 * The minimal abortable call of any client over a transport: a deadline, a check of status and content type, JSON parsing.
 * No retries, rate budget or hooks.
 */
function minimalCall(transport: Sdk.Transport, url: string, headers: Record<string, string>): Call {
  return () =>
    new Promise((resolve, reject) => {
      const ends: (() => void)[] = []
      const timer = setTimeout(() => {
        for (const end of ends) end()
        reject(new Error('timed out'))
      }, 30_000)
      transport({
        url,
        method: 'GET',
        headers: { ...headers },
        body: undefined,
        maxResponseBytes: Number.POSITIVE_INFINITY,
        get signal() {
          const controller = new AbortController()
          ends.push(() => controller.abort())
          return controller.signal
        },
        onAbort: (end) => ends.push(end),
      }).then((response) => {
        clearTimeout(timer)
        const isJson = /[/+]json\b/i.test(response.headers.get('content-type') ?? '')
        if (response.status !== 200 || !isJson)
          reject(new Error(`unexpected response with status ${response.status}`))
        else resolve(JSON.parse(response.body))
      }, reject)
    })
}

/** The SDK's default transport without the SDK. */
const overFetch: Sdk.Transport = async ({ url, method, headers, signal }) => {
  const response = await fetch(url, { method, headers, redirect: 'manual', signal })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

/** `fetch` with an abort signal. */
function abortableFetch(url: string, headers: Record<string, string>): Call {
  return async () => {
    const { signal } = new AbortController()
    return (await fetch(url, { headers, signal })).json()
  }
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
  const script = fileURLToPath(new URL('support/rest-server.mjs', import.meta.url))
  const server = await spawnServer([script, 'bare'], { env: { BODIES: JSON.stringify({ item: ITEM }) } })
  try {
    const baseUrl = server.line.url as string
    const url = `${baseUrl}/api/v1/forms/abcdefghijkl`
    const headers = { authorization: 'Bearer svc_bench', accept: 'application/json' }
    const options = { apiKey: 'svc_bench', baseUrl, rateLimit: false } as const
    const client = (transport?: ReturnType<typeof nodeTransport>): Call => {
      const { forms } = new Formwire({ ...options, ...(transport ? { transport } : {}) })
      return () => forms.get('abcdefghijkl')
    }

    const sent = { ...headers, 'user-agent': 'bench' }
    await compare(
      {
        fetch: async () => (await fetch(url, { headers })).json(),
        default: client(),
        'fetch with a signal': abortableFetch(url, headers),
        'minimal abortable call': minimalCall(overFetch, url, sent),
      },
      { default: '≥ 0.95' },
      'minimal abortable call',
    )
    const dispatcher = new Agent({ connections: CONCURRENCY })
    await compare(
      {
        'undici.request': async () => (await request(url, { headers, dispatcher })).body.json(),
        '/undici': client(undiciTransport({ dispatcher })),
      },
      { '/undici': '≥ 0.85' },
    )
    const agent = new HttpAgent({ keepAlive: true, maxSockets: CONCURRENCY })
    await compare(
      {
        'node:http': bareHttp(url, headers, agent),
        '/node': client(nodeTransport({ agent })),
        'minimal call over node:http': minimalCall(nodeTransport({ agent }), url, sent),
      },
      { '/node': '≥ 0.90' },
    )
    await dispatcher.close()
    agent.destroy()
  } finally {
    await stop(server)
  }
}

async function imports(): Promise<void> {
  const names = { 'the core': 'index', '/node': 'node' }
  const modules = ['data:text/javascript,export {}', ...Object.values(names).map(built)]
  const [empty = 0, ...times] = await startTimes(modules.map(importing), STARTS)
  for (const [index, name] of Object.keys(names).entries())
    report(`import of ${name} / import of an empty module`, (times[index] ?? 0) / empty, 'lower is better')
}

await calls()
await imports()
