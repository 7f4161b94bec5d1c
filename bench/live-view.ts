/**
 * Compares the live view of `formwire listen` with its lines, in the same run: processor time per delivery, resident
 * memory, and how long the sender waits for a response. Both run on a real terminal (tmux). Needs a build of the CLI and tmux.
 *
 *     tsx --conditions=@formwire/source bench/live-view.ts [deliveries, 10000 unless given]
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createDelivery, examplePayload } from '@formwire/webhook-verify/testing'
import { freePort } from '../test/support/free-port.ts'
import { cpuOf } from './support/cpu-of.ts'
import { median } from './support/statistics.ts'

const run = promisify(execFile)
const SECRET = 'whsec_of_the_benchmark'
const bin = fileURLToPath(new URL('../packages/cli/dist/bin.js', import.meta.url))
/** Largest acceptable ratio of the live view to lines. */
const GOAL = 2

interface Figures {
  /** Milliseconds of processor time per delivery. */
  cpuMs: number
  /** Resident memory at the end, in MB, garbage included. */
  residentMb: number
  /** Median milliseconds until the response. */
  responseMs: number
}

const home = mkdtempSync(join(tmpdir(), 'formwire-bench-'))
const handler = createServer((incoming, response) => {
  incoming.resume().once('end', () => response.writeHead(200).end())
}).listen(0, '127.0.0.1')
await new Promise((resolve) => handler.once('listening', resolve))
const handlerPort = (handler.address() as AddressInfo).port

async function measure(view: 'live' | 'lines', deliveries: number): Promise<Figures> {
  const socket = `formwire-bench-${process.pid}-${view}`
  const port = await freePort()
  const pidFile = join(home, `${view}.pid`)
  const command = `env -u CI HOME=${home} FORMWIRE_WEBHOOK_SECRET=${SECRET} sh -c 'echo $$ > ${pidFile}; exec ${process.execPath} ${bin} listen --port ${port} --forward-to ${handlerPort} --view ${view}'`
  await run('tmux', ['-L', socket, '-f', '/dev/null', 'new-session', '-d', '-x', '160', '-y', '40', command])
  try {
    await listening(port)
    const pid = Number(readFileSync(pidFile, 'utf8'))
    // Code is compiled and connections are warm afterwards.
    await send(port, Math.ceil(deliveries / 10))
    const before = cpuOf(pid)
    const times = await send(port, deliveries)
    return {
      cpuMs: (cpuOf(pid) - before) / 1000 / deliveries,
      residentMb: residentMb(pid),
      responseMs: median(times),
    }
  } finally {
    await run('tmux', ['-L', socket, 'kill-server']).catch(() => undefined)
  }
}

/** Sends deliveries, four at once, and returns the milliseconds until each response. */
async function send(port: number, count: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: false })
  const times: number[] = []
  let sent = 0
  const lane = async (): Promise<void> => {
    while (sent < count) {
      sent += 1
      times.push(await deliver(port, sent, agent))
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  return times
}

function deliver(port: number, id: number, agent: Agent): Promise<number> {
  const { headers, body } = createDelivery({ secret: SECRET, payload: examplePayload({ id }) })
  const from = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { port, host: '127.0.0.1', method: 'POST', headers: { ...headers }, agent },
      (response) => {
        response.resume().once('end', () => resolve(performance.now() - from))
      },
    )
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const isUp = await fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('formwire listen did not start; is the CLI built?')
}

function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

const deliveries = Number(process.argv[2] ?? 10_000)
try {
  const lines = await measure('lines', deliveries)
  const live = await measure('live', deliveries)
  console.log(`| ${deliveries} deliveries | processor time each | resident | response (median) |`)
  console.log('|---|---|---|---|')
  for (const [name, figures] of Object.entries({ lines, live })) {
    console.log(
      `| ${name} | ${figures.cpuMs.toFixed(2)} ms | ${Math.round(figures.residentMb)} MB | ${figures.responseMs.toFixed(1)} ms |`,
    )
  }
  const ratio = live.cpuMs / lines.cpuMs
  console.log(`\nLive view: ${ratio.toFixed(2)} × the processor time of lines (goal: ${GOAL}).`)
  if (ratio > GOAL) process.exitCode = 1
} finally {
  handler.close()
  rmSync(home, { recursive: true, force: true })
}
