/**
 * Compares the live view of `formwire listen` with its lines, in the same run: 700 deliveries to warm up, 300 at 15 a second, and from
 * row 1,000 on at full speed. Measures processor time per delivery, growth of the memory, how long the sender waits for a response, and
 * the time until the first frame. Both run on a real terminal (tmux). Needs a build of the CLI and tmux.
 *
 *     tsx --conditions=@formwire/source bench/live-view.ts [deliveries at full speed, 40000 unless given]
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createDelivery, examplePayload } from '@formwire/webhook-verify/testing'
import { freePort } from '../test/support/free-port.ts'
import { cpuOf } from './support/cpu-of.ts'
import { median } from './support/statistics.ts'

const run = promisify(execFile)
const SECRET = 'whsec_of_the_benchmark'
const bin = fileURLToPath(new URL('../packages/cli/dist/bin.js', import.meta.url))
const PER_SECOND = 15
const PACED_SECONDS = 20
const WARM_UP = 700
/** From here on the memory is measured at full speed. */
const FIRST_ROW = WARM_UP + PER_SECOND * PACED_SECONDS

type View = 'live' | 'lines'

interface Figures {
  /** Milliseconds of processor time per delivery. */
  cpuMs: number
  /** Growth of the resident memory in the meantime, in MB, garbage included. */
  growthMb: number
  /** Median milliseconds until the response. */
  responseMs: number
}

const home = mkdtempSync(join(tmpdir(), 'formwire-bench-'))
const handler = createServer((incoming, response) => {
  incoming.resume().once('end', () => response.writeHead(200).end())
}).listen(0, '127.0.0.1')
await new Promise((resolve) => handler.once('listening', resolve))
const handlerPort = (handler.address() as AddressInfo).port

/** Measures a view at 15 deliveries a second, then at full speed. */
async function measure(view: View, deliveries: number): Promise<{ full: Figures; paced: Figures }> {
  const socket = join(home, view)
  const port = await freePort()
  const pidFile = join(home, `${view}.pid`)
  await run('tmux', [...terminal(socket), listenCommand(view, port, pidFile)])
  try {
    await listening(port)
    const pid = Number(readFileSync(pidFile, 'utf8'))
    const figures = async (send: Promise<number[]>, rows: number): Promise<Figures> => {
      const [cpuBefore, memoryBefore] = [cpuOf(pid) / 1000, residentMb(pid)]
      const responseMs = median(await send)
      return {
        cpuMs: (cpuOf(pid) / 1000 - cpuBefore) / rows,
        growthMb: residentMb(pid) - memoryBefore,
        responseMs,
      }
    }
    // Code is compiled and connections are warm afterwards.
    await sendAll(port, WARM_UP)
    const paced = await figures(sendPaced(port), PER_SECOND * PACED_SECONDS)
    const full = await figures(sendAll(port, deliveries), deliveries)
    return { full, paced }
  } finally {
    await run('tmux', ['-S', socket, 'kill-server']).catch(() => undefined)
  }
}

const terminal = (socket: string): string[] => [
  '-S',
  socket,
  '-f',
  '/dev/null',
  'new-session',
  '-d',
  '-x',
  '160',
  '-y',
  '40',
]

function listenCommand(view: View, port: number, pidFile: string): string {
  // Garbage is collected early, so that what grows is what is kept.
  const listen = `--max-semi-space-size=1 ${bin} listen --port ${port} --forward-to ${handlerPort} --view ${view}`
  return `env -u CI HOME=${home} FORMWIRE_WEBHOOK_SECRET=${SECRET} sh -c 'echo $$ > ${pidFile}; exec ${process.execPath} ${listen}'`
}

/** Returns the milliseconds from the start of the command, when it writes its process id, to its first frame. */
async function firstFrameMs(attempt: number): Promise<number> {
  const socket = join(home, `first-${attempt}`)
  const pidFile = join(home, `first-${attempt}.pid`)
  await run('tmux', [...terminal(socket), listenCommand('live', await freePort(), pidFile)])
  try {
    // Looking takes processor time from the command.
    while (!(await run('tmux', ['-S', socket, 'capture-pane', '-p'])).stdout.includes('q quit · '))
      await setTimeout(10)
    return Date.now() - statSync(pidFile).mtimeMs
  } finally {
    await run('tmux', ['-S', socket, 'kill-server']).catch(() => undefined)
  }
}

/** Sends deliveries, four at once, and returns the milliseconds until each response. */
async function sendAll(port: number, count: number): Promise<number[]> {
  const times: number[] = []
  let sent = 0
  const lane = async (): Promise<void> => {
    while (sent < count) {
      sent += 1
      times.push(await deliver(port, sent))
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  return times
}

/** As {@link sendAll}, for some seconds at a steady pace. */
async function sendPaced(port: number): Promise<number[]> {
  const times: Promise<number>[] = []
  for (let sent = 0; sent < PER_SECOND * PACED_SECONDS; sent += 1) {
    times.push(deliver(port, sent))
    await setTimeout(1000 / PER_SECOND)
  }
  return await Promise.all(times)
}

const agent = new Agent({ keepAlive: false })

function deliver(port: number, id: number): Promise<number> {
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
    await setTimeout(50)
  }
  throw new Error('formwire listen did not start; is the CLI built?')
}

function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

const deliveries = Number(process.argv[2] ?? 40_000)
try {
  const lines = await measure('lines', deliveries)
  const live = await measure('live', deliveries)
  const frames = [await firstFrameMs(1), await firstFrameMs(2), await firstFrameMs(3)]
  console.log('| | processor time each | growth of the memory | response (median) |')
  console.log('|---|---|---|---|')
  for (const [view, speeds] of Object.entries({ lines, live })) {
    for (const [speed, { cpuMs, growthMb, responseMs }] of Object.entries(speeds)) {
      const [cpu, memory] = [cpuMs.toFixed(2), growthMb.toFixed(1)]
      console.log(`| ${view}, ${speed} | ${cpu} ms | +${memory} MB | ${responseMs.toFixed(1)} ms |`)
    }
  }
  const goals: [what: string, measured: number, goal: number][] = [
    ['processor time at full speed, times that of lines', live.full.cpuMs / lines.full.cpuMs, 3],
    ['processor time of a delivery at 15 a second, ms', live.paced.cpuMs, 20],
    [`growth of the memory from row ${FIRST_ROW} to ${FIRST_ROW + deliveries}, MB`, live.full.growthMb, 8],
    ['response at full speed, times that of lines', live.full.responseMs / lines.full.responseMs, 1.2],
    ['response at 15 a second, times that of lines', live.paced.responseMs / lines.paced.responseMs, 1.2],
    ['first frame, ms', median(frames), 250],
  ]
  console.log('')
  for (const [what, measured, goal] of goals) {
    console.log(`${what}: ${measured.toFixed(2)}, goal ${goal}: ${measured <= goal ? 'met' : 'MISSED'}`)
    if (measured > goal) process.exitCode = 1
  }
} finally {
  handler.close()
  rmSync(home, { recursive: true, force: true })
}
