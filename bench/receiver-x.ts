/**
 * What a receiver costs: processor time of a server process that verifies and parses deliveries, with this package and
 * without it. 16 connections, bodies of 1.5 kB, each of another response.
 * Needs a build. `npx tsx --conditions=@formwire/source bench/receiver.ts [name of a receiver…]`
 */
import { connect, type Socket } from 'node:net'
import { createDelivery, examplePayload } from '@formwire/webhook-verify/testing'
import { type Spawned, spawnServer, stop } from './support/spawn-server.ts'
import { median, randomFrom } from './support/statistics.ts'

const PAIRS = [
  ['node', 'node bare'],
  ['node dedupe', 'node bare'],
  ['express', 'express bare'],
  ['fastify', 'fastify bare'],
] as const
const CONNECTIONS = 16
const BODY_BYTES = 1_500
/** Processes of each receiver, one after the other: two of the same program differ by up to 15 %. */
const PROCESSES = Number(process.env.FORMWIRE_BENCH_PROCESSES ?? 9)
const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 3)
const REQUESTS = Number(process.env.FORMWIRE_BENCH_REQUESTS ?? 2_000)
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

/** Returns the microseconds of processor time that the server takes for a request. */
async function measure(server: Spawned, sockets: readonly Socket[]): Promise<number> {
  const each = Math.ceil(REQUESTS / sockets.length)
  const requests = sockets.map(() => Array.from({ length: each }, requestBytes))
  const before = await cpuOf(server)
  await Promise.all(sockets.map((socket, index) => send(socket, requests[index] ?? [])))
  return ((await cpuOf(server)) - before) / (each * sockets.length)
}

async function cpuOf({ line }: Spawned): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${line.port}/cpu`)).text())
}

const names = process.argv.slice(2)
const pairs = PAIRS.filter(([name]) => names.length === 0 || names.includes(name))
/** Microseconds of each round. */
const costs = new Map<string, number[]>(
  [...new Set(pairs.flat())].map((name): [string, number[]] => [name, []]),
)

/** Measures one process of each receiver. */
async function measureProcesses(): Promise<void> {
  const servers: { server: Spawned; sockets: Socket[]; name: string }[] = []
  try {
    for (const name of shuffled([...costs.keys()])) {
      const script = new URL('support/receiver-server.mjs', import.meta.url).pathname
      const server = await spawnServer([script, name])
      const sockets = Array.from({ length: CONNECTIONS }, () =>
        connect(Number(server.line.port), '127.0.0.1'),
      )
      servers.push({ server, sockets, name })
    }
    // The first rounds are a warm-up.
    for (let round = -3; round < ROUNDS; round += 1) {
      // In random order: the first of a round finds the machine in another state than the last.
      for (const { server, sockets, name } of shuffled(servers)) {
        const cost = await measure(server, sockets)
        console.log(JSON.stringify([name, round, cost])); if (round >= 0) costs.get(name)?.push(cost)
      }
    }
  } finally {
    for (const { server, sockets } of servers) {
      for (const socket of sockets) socket.destroy()
      await stop(server)
    }
  }
}

for (let index = 0; index < PROCESSES; index += 1) await measureProcesses()
console.log(
  `Node ${process.version}, ${PROCESSES} processes each, ${ROUNDS} rounds of ${REQUESTS} requests\n`,
)
console.log(
  '| receiver | processor time of a request | without the package | ratio | goal |\n|---|---|---|---|---|',
)
for (const [name, baseline] of pairs) {
  const ours = median(costs.get(name) ?? [])
  const bare = median(costs.get(baseline) ?? [])
  console.log(
    `| ${name} | ${ours.toFixed(0)} µs | ${bare.toFixed(0)} µs | ${(bare / ours).toFixed(2)} | ≥ ${GOAL} |`,
  )
}
