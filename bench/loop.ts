/**
 * How long one hostile request of up to 1 MiB holds the server's event loop: the fastest of a few rounds for each request,
 * so that other work on the machine does not count. Fails when one holds it for more than 100 ms.
 *
 *     npx tsx --conditions=@formwire/source bench/loop.ts [part of a name]
 */
import { request as httpRequest } from 'node:http'
import { startHeldServer } from './support/held-server.ts'
import { hostileRequests } from './support/hostile-requests.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const MAX_HOLD_MS = 100

const server = await startHeldServer()
const rows: { name: string; status: number; requestKiB: number; responseKiB: number; holdMs: number }[] = []
try {
  const wanted = process.argv[2] ?? ''
  for (const { name, method, path, headers, body: makeBody } of await hostileRequests(server)) {
    if (!name.includes(wanted)) continue
    const body = makeBody()
    const row = { name, status: 0, requestKiB: kib(body.byteLength), responseKiB: 0, holdMs: Infinity }
    for (let round = 0; round < ROUNDS && row.holdMs > 25; round += 1) {
      await server.longestHoldMs()
      const { status, bytes } = await send(method, path, headers, body)
      Object.assign(row, { status, responseKiB: kib(bytes) })
      row.holdMs = Math.min(row.holdMs, await server.longestHoldMs())
    }
    rows.push(row)
  }
} finally {
  server.stop()
}

const width = Math.max(...rows.map(({ name }) => name.length))
console.log(`| ${'request'.padEnd(width)} | status | sent kB | received kB | longest hold |`)
console.log(`|${'-'.repeat(width + 2)}|--------|---------|-------------|--------------|`)
for (const { name, status, requestKiB, responseKiB, holdMs } of rows.sort((a, b) => b.holdMs - a.holdMs)) {
  const cells = [
    name.padEnd(width),
    String(status).padStart(6),
    String(requestKiB).padStart(7),
    String(responseKiB).padStart(11),
    `${holdMs.toFixed(1)} ms`.padStart(12),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
if (rows.some(({ holdMs }) => holdMs > MAX_HOLD_MS)) process.exitCode = 1

function kib(bytes: number): number {
  return Math.round(bytes / 1024)
}

/** Sends one request on its own connection and counts what comes back, without keeping it. */
function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Uint8Array,
): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${server.url}${path}`, { method, headers, agent: false }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Uint8Array) => {
        bytes += chunk.byteLength
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, bytes }))
      response.once('error', reject)
    })
    request.once('error', reject)
    request.end(body)
  })
}
