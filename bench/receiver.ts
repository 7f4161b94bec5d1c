/**
 * What a receiver costs: processor time of a server process that verifies and parses deliveries, with this package and
 * without it. 16 connections, bodies of 1.5 kB, each of another response.
 * Needs a build and two cores. `taskset -c 0 npx tsx --conditions=@formwire/source bench/receiver.ts [name of a receiver…]`
 */
import { connect, type Socket } from 'node:net'
import { createDelivery, examplePayload } from '@formwire/webhook-verify/testing'
import { type Spawned, spawnServer, stop } from './support/spawn-server.ts'
import { median, randomFrom } from './support/statistics.ts'

const PAIRS = [
  ['node', 'node bare'],
  ['node dedupe', 'node bare'],
  ['node dedupe', 'node bare dedupe'],
  ['express', 'express bare'],
  ['fastify', 'fastify bare'],
] as const
const CONNECTIONS = 16
const BODY_BYTES = 1_500
/** Processes of each receiver: two of the same program differ by up to 15 %. */
const PROCESSES = Number(process.env.FORMWIRE_BENCH_PROCESSES ?? 9)
/** Requests that are made, sent and measured together. */
const BATCH = 4_000
/** Batches of each process, after the warm-up. */
const BATCHES = 10
/** Batches that are not measured: until then the compiler of V8 takes processor time of its own. */
const WARM_UP = 5
const GOAL = 0.85

let nextId = 1

/** The order, the same in every run. */
const random = randomFrom(20_261_122)
const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)

/** Returns the bytes of a request with a delivery of a new response. */
function requestBytes(): Buffer {
  const answer = { question_id: 'q_1', title: 'Why?', type: 'long_text' as const }
  const payload = examplePayload({ id: nextId++, answers: [] })
  const padding = BODY_BYTES - JSON.stringify({ event: 'response.submitted', ...payload }).length - 85
  payload.response.answers = [{ ...answer, value: 'y'.repeat(padding), text: 'Fast' }]
  const { headers, body } = createDelivery({ secret: 'whsec_bench', payload })
  const lines = Object.entries({
    Host: '127.0.0.1',
    Accept: '*/*',
    'Accept-Encoding': 'identity',
    'User-Agent': 'Formwire-Webhooks/1',
    ...headers,
    'Content-Length': Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST / HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/** Sends the requests on one connection, each after the response to the one before. */
function send(socket: Socket, requests: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = 0
    const next = (): void => {
      const request = requests[sent]
      sent += 1
      if (request) socket.write(request)
      else resolve()
    }
    socket.removeAllListeners('data')
    socket.removeAllListeners('error')
    socket.once('error', reject)
    socket.on('data', (response) => {
      if (response.toString('latin1', 9, 12) === '200') next()
      else reject(new Error(response.toString()))
    })
    next()
  })
}

/** Sends a batch of requests, and returns the microseconds of processor time that the server took for one. */
async function sendBatch({ server, sockets }: Measured): Promise<number> {
  const requests = sockets.map(() => Array.from({ length: BATCH / CONNECTIONS }, requestBytes))
  const before = await cpuOf(server)
  await Promise.all(sockets.map((socket, index) => send(socket, requests[index] ?? [])))
  return ((await cpuOf(server)) - before) / BATCH
}

async function cpuOf({ line }: Spawned): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${line.port}/cpu`)).text())
}

const names = process.argv.slice(2)
const pairs = PAIRS.filter(([name]) => names.length === 0 || names.includes(name))
/** Microseconds of each batch. */
const costs = new Map<string, number[]>(
  [...new Set(pairs.flat())].map((name): [string, number[]] => [name, []]),
)

/** A process of a receiver, and its connections. */
interface Measured {
  readonly name: string
  readonly server: Spawned
  readonly sockets: readonly Socket[]
}

async function start(name: string): Promise<Measured> {
  const script = new URL('support/receiver-server.mjs', import.meta.url).pathname
  const server = await spawnServer([script, name], { core: 1 })
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(server.line.port), '127.0.0.1'))
  return { name, server, sockets }
}

/** Measures one process of each receiver, batch by batch: the speed of a machine changes within seconds. */
async function measureProcesses(): Promise<void> {
  const measured: Measured[] = []
  try {
    for (const name of costs.keys()) measured.push(await start(name))
    for (let batch = -WARM_UP; batch < BATCHES; batch += 1) {
      // In random order: the first of a round finds the machine in another state than the last.
      for (const one of shuffled(measured)) {
        const cost = await sendBatch(one)
        if (batch >= 0) costs.get(one.name)?.push(cost)
      }
    }
  } finally {
    for (const { server, sockets } of measured) {
      for (const socket of sockets) socket.destroy()
      await stop(server)
    }
  }
}

// This process never sleeps: a response to one that sleeps would wake it, which costs the server more than all that differs between
// the receivers, and more often the slower it is.
let measuring = true
const stayAwake = () => measuring && setImmediate(stayAwake)
stayAwake()
for (let index = 0; index < PROCESSES; index += 1) {
  await measureProcesses()
}
measuring = false
console.log(
  `Node ${process.version}, ${PROCESSES} processes of each, ${BATCHES} batches of ${BATCH} requests after ${WARM_UP} as a warm-up\n`,
)
console.log(
  '| receiver | processor time of a request | without the package | ratio | goal |\n|---|---|---|---|---|',
)
for (const [name, baseline] of pairs) {
  const ours = median(costs.get(name) ?? [])
  const bare = median(costs.get(baseline) ?? [])
  console.log(
    `| ${name} (without: ${baseline}) | ${ours.toFixed(0)} µs | ${bare.toFixed(0)} µs | ${(bare / ours).toFixed(2)} | ≥ ${GOAL} |`,
  )
}
