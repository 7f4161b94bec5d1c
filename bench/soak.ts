/**
 * Checks memory and responsiveness of the reference server under 1,000,000 requests, many of them hostile: malformed,
 * oversized, half-sent, cut off. Reports memory and event-loop delay of the server process. Exits with 1 after an
 * unexpected response status, a failure in the server, or growing memory. Build first.
 *
 *     npx tsx --conditions=@formwire/source bench/soak.ts [requests]
 *
 * 1,000,000 requests by default. `SOAK_MINUTES` limits the time (60), `SOAK_SEED` changes the order of the mix (1), and
 * `SOAK_LARGE_TEXT_EVERY` changes the share of submissions with a text of almost 1 MiB (one of 2,000).
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'
import { median, randomFrom } from './support/statistics.ts'

const REQUESTS = Number(process.argv[2] ?? process.env.SOAK_REQUESTS ?? 1_000_000)
const MAX_MINUTES = Number(process.env.SOAK_MINUTES ?? 60)
const random = randomFrom(Number(process.env.SOAK_SEED ?? 1))
const CONCURRENCY = 32
/** How often memory is measured, evenly over the requests. */
const SAMPLES = 40
const RESPONSE_DEADLINE_MS = 60_000
/** Requests before the first sample: code is compiled, and what is bounded fills up. */
const WARM_UP_SHARE = 0.05
/** One submission of this many has a text of almost 1 MiB. */
const LARGE_TEXT_EVERY = Number(process.env.SOAK_LARGE_TEXT_EVERY ?? 2_000)
const LARGE_TEXT = 'a\u0301.@/'.repeat(150_000)
/** Twice what a request body may have. */
const OVERSIZED_BYTES = 2_097_152
/** Growth from the second to the last quarter of the run that still counts as flat. */
const MAX_GROWTH = { rss: 1.1, heapUsed: 1.05 }

interface Target {
  url: string
  formId: string
  slug: string
  readKey: string
  writeKey: string
  adminToken: string
}

interface Memory {
  rss: number
  heapUsed: number
  external: number
  /** Resources that keep the event loop of the process alive: sockets, timers. */
  resources: number
}

/** Event-loop delay in milliseconds. */
interface Delays {
  p50: number
  p99: number
  p9999: number
  max: number
}

type Outcome = number | 'cut'

/** One kind of request in the mix. */
interface Kind {
  weight: number
  /** The allowed outcomes; 'cut' if the client disconnects without waiting for a response. */
  expected: readonly Outcome[]
  /** @returns an outcome for each request that was sent. */
  send(): Promise<Outcome[]>
}

/** Starts the built server and collects the causes of its 500s. */
async function startServer(failures: string[]): Promise<{ child: ChildProcess; target: Target }> {
  const child = fork(fileURLToPath(new URL('support/soak-server.mjs', import.meta.url)), [], {
    execArgv: ['--expose-gc'],
  })
  child.on('message', ({ failure }: { failure?: string }) => {
    if (failure !== undefined) failures.push(failure)
  })
  const target = await replyOf<Target>(child)
  return { child, target }
}

/** The child's next message that is not a failure. */
function replyOf<Reply extends object>(child: ChildProcess): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`The server exited with ${code}.`))
    const onMessage = (message: Reply) => {
      if ('failure' in message) return
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(message)
    }
    child.on('message', onMessage)
    child.once('exit', onExit)
  })
}

function ask<Reply extends object>(
  child: ChildProcess,
  question: 'sample' | 'delays' | 'reset',
): Promise<Reply> {
  const reply = replyOf<Reply>(child)
  child.send(question)
  return reply
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item
}

/** Writes text to a new socket. Disconnects once it is written, or at the first bytes of the response. */
function sendRaw(port: number, text: string, leaves: 'written' | 'answered'): Promise<Outcome[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const deadline = setTimeout(() => {
      reject(new Error(`No response within ${RESPONSE_DEADLINE_MS} ms to ${text.slice(0, 80)}`))
      socket.destroy()
    }, RESPONSE_DEADLINE_MS)
    let outcome: Outcome = 'cut'
    socket.on('connect', () => {
      socket.write(text, () => {
        if (leaves === 'written') socket.destroy()
      })
    })
    socket.on('data', (chunk) => {
      if (leaves === 'answered') outcome = Number(chunk.toString('latin1', 9, 12))
      socket.destroy()
    })
    // The server may reset a refused connection.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(deadline)
      resolve([outcome])
    })
  })
}

function head(method: string, path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** The mix of requests by name. Weights are shares; each accepted submission is followed by two more requests. */
function mixFor(
  { url, formId, slug, readKey, writeKey, adminToken }: Target,
  pool: Pool,
): Record<string, Kind> {
  const port = Number(new URL(url).port)
  const form = `/api/v1/forms/${formId}`
  const key = (value: string) => ({ authorization: `Bearer ${value}` })
  const json = { 'content-type': 'application/json' }

  async function request(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ) {
    const response = await pool.request({ method, path, headers, ...(body !== undefined && { body }) })
    return { status: response.statusCode, text: await response.body.text() }
  }
  const statusOf = async (...args: Parameters<typeof request>) => [(await request(...args)).status]

  let submissions = 0
  let deletions: Promise<unknown> = Promise.resolve()
  /** Deletes the newest response after each accepted one, so that the number of responses stays the same. */
  async function submit(): Promise<Outcome[]> {
    submissions += 1
    const isLarge = submissions % LARGE_TEXT_EVERY === 0
    const questions = ['name', 'text', 'mail', 'site', 'phone'].filter(() => random() < 0.4)
    const answers = questions.map((question_id) => ({ question_id, value: pick(HOSTILE_TEXTS) }))
    const large = [{ question_id: pick(['text', 'mail', 'site', 'phone']), value: LARGE_TEXT }]
    const body = JSON.stringify({ answers: isLarge ? large : answers })
    const submitted = await request('POST', `/f/${slug}`, json, body)
    if (submitted.status !== 201) return [submitted.status]
    const deletion = deletions.then(deleteNewest)
    deletions = deletion.catch(() => undefined)
    return [submitted.status, ...(await deletion)]
  }

  /** Runs one at a time, since two deletions could read the same id. */
  async function deleteNewest(): Promise<Outcome[]> {
    const list = await request('GET', `${form}/responses?per_page=1`, key(readKey))
    const id: number = JSON.parse(list.text).data[0].id
    const deleted = await request('DELETE', `${form}/responses/${id}`, key(writeKey))
    return [list.status, deleted.status]
  }

  const oversized = {
    ...key(writeKey),
    'Content-Type': 'application/json',
    'Content-Length': String(OVERSIZED_BYTES),
  }
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': '1000000' }
  const filePart = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  return {
    'list of responses': {
      weight: 20,
      expected: [200],
      send: () => statusOf('GET', `${form}/responses?per_page=25`, key(readKey)),
    },
    'one form': { weight: 12, expected: [200], send: () => statusOf('GET', form, key(readKey)) },
    me: { weight: 6, expected: [200], send: () => statusOf('GET', '/api/v1/me', key(writeKey)) },
    'new title': {
      weight: 8,
      expected: [200],
      send: () =>
        statusOf(
          'PATCH',
          form,
          { ...key(writeKey), ...json },
          JSON.stringify({ title: `Soak ${Math.floor(random() * 1e6)}` }),
        ),
    },
    'write with a read key': {
      weight: 3,
      expected: [403],
      send: () => statusOf('PATCH', form, { ...key(readKey), ...json }, '{"title":"x"}'),
    },
    'invalid key': {
      weight: 8,
      expected: [401],
      send: () => statusOf('GET', '/api/v1/me', key(`svc_${Math.floor(random() * 1e15)}`)),
    },
    'no key': { weight: 3, expected: [401], send: () => statusOf('GET', '/api/v1/forms') },
    'unknown path': {
      weight: 3,
      expected: [404],
      send: () => statusOf('GET', `/api/v1/${Math.floor(random() * 1e15)}`, key(readKey)),
    },
    'malformed JSON': {
      weight: 6,
      expected: [400],
      send: () =>
        statusOf(
          'PATCH',
          form,
          { ...key(writeKey), ...json },
          pick(['{', '{"title":', '[[[[', 'nul', '{"title":"\ud800"', '\0']),
        ),
    },
    'broken percent-encoding': {
      weight: 5,
      expected: [400],
      send: () =>
        statusOf(
          'GET',
          pick([
            '/api/v1/forms/%zz',
            '/api/v1/forms/%',
            '/api/v1/forms?status=%e0%a4',
            '/api/v1/forms?%ff=1',
          ]),
          key(readKey),
        ),
    },
    'parameters out of range': {
      weight: 4,
      expected: [422],
      send: () =>
        statusOf(
          'GET',
          `/api/v1/forms?${pick(['page=-1', 'page=', 'per_page=101', 'per_page=9999999999999999999', 'status=%00'])}`,
          key(readKey),
        ),
    },
    'public page': { weight: 2, expected: [200], send: () => statusOf('GET', `/f/${slug}`) },
    'hostile submission': { weight: 8, expected: [201, 200, 204, 422], send: submit },
    'oversized body': {
      weight: 1,
      expected: [400],
      send: () => sendRaw(port, head('PATCH', form, oversized) + 'x'.repeat(65_536), 'answered'),
    },
    'half-sent request': {
      weight: 6,
      expected: ['cut'],
      send: () =>
        sendRaw(
          port,
          pick([
            'GET /api/v1/me HT',
            head('GET', '/api/v1/me').slice(0, -2),
            `${head('PATCH', form, { ...oversized, 'Content-Length': '100' })}{"title"`,
            '\x16\x03\x01\x02\x00',
          ]),
          'written',
        ),
    },
    'upload cut off': {
      weight: 2,
      expected: ['cut'],
      send: () =>
        sendRaw(port, head('POST', `/f/${slug}/files`, multipart) + filePart + 'x'.repeat(16_384), 'written'),
    },
    'stream opened and dropped': {
      weight: 1,
      expected: [200],
      send: () => sendRaw(port, head('GET', '/_app/deliveries/stream', key(adminToken)), 'answered'),
    },
  }
}

/** Returns a function that picks kinds in proportion to their weights. */
function drawFrom(mix: Record<string, Kind>): () => [name: string, kind: Kind] {
  const table = Object.entries(mix).flatMap((entry) => Array<[string, Kind]>(entry[1].weight).fill(entry))
  return () => pick(table)
}

/** Counts outcomes by kind and collects unexpected ones. */
class Tally {
  readonly #outcomes = new Map<string, Map<Outcome, number>>()
  readonly unexpected: string[] = []
  requests = 0

  add(name: string, kind: Kind, outcomes: readonly Outcome[]): void {
    const counts = this.#outcomes.get(name) ?? new Map<Outcome, number>()
    this.#outcomes.set(name, counts)
    for (const outcome of outcomes) {
      this.requests += 1
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      if (!kind.expected.includes(outcome)) this.unexpected.push(`${name}: ${outcome}`)
    }
  }

  toString(): string {
    const rows = [...this.#outcomes].map(([name, counts]) => {
      const outcomes = [...counts].map(([outcome, count]) => `${count.toLocaleString('en')} × ${outcome}`)
      return `| ${name} | ${outcomes.join(', ')} |`
    })
    return ['| request | responses |', '|---|---|', ...rows.sort()].join('\n')
  }
}

/** Sends the mix with `CONCURRENCY` requests at a time, until the tally has this many requests or the deadline passes. */
async function sendUntil(
  requests: number,
  deadline: number,
  draw: () => [string, Kind],
  tally: Tally,
): Promise<void> {
  const worker = async () => {
    while (tally.requests < requests && performance.now() < deadline) {
      const [name, kind] = draw()
      try {
        tally.add(name, kind, await kind.send())
      } catch (error) {
        tally.unexpected.push(`${name}: ${error}`)
        tally.requests += 1
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`

function showMemory(samples: readonly { requests: number; memory: Memory }[]): string {
  const rows = samples.map(
    ({ requests, memory: { rss, heapUsed, external, resources } }) =>
      `| ${requests.toLocaleString('en')} | ${mebibytes(rss)} | ${mebibytes(heapUsed)} | ${mebibytes(external)} | ${resources} |`,
  )
  return ['| requests | RSS | heap used | external | resources |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}

const failures: string[] = []
const { child, target } = await startServer(failures)
const pool = new Pool(target.url, {
  connections: CONCURRENCY,
  headersTimeout: RESPONSE_DEADLINE_MS,
  bodyTimeout: RESPONSE_DEADLINE_MS,
})
try {
  const draw = drawFrom(mixFor(target, pool))
  const tally = new Tally()
  const startedAt = performance.now()
  const deadline = startedAt + MAX_MINUTES * 60_000
  await sendUntil(REQUESTS * WARM_UP_SHARE, deadline, draw, tally)
  await ask(child, 'reset')
  const first = tally.requests
  const samples: { requests: number; memory: Memory }[] = []
  for (let count = 1; count <= SAMPLES; count += 1) {
    await sendUntil(first + ((REQUESTS - first) * count) / SAMPLES, deadline, draw, tally)
    samples.push({ requests: tally.requests, memory: await ask<Memory>(child, 'sample') })
  }
  const delays = await ask<Delays>(child, 'delays')
  const seconds = (performance.now() - startedAt) / 1000

  const quarter = (index: number) => samples.slice((SAMPLES / 4) * index, (SAMPLES / 4) * (index + 1))
  const middle = (index: number, member: 'rss' | 'heapUsed') =>
    median(quarter(index).map(({ memory }) => memory[member]))
  console.log(
    `${tally.requests.toLocaleString('en')} requests in ${seconds.toFixed(0)} s, Node ${process.version}\n`,
  )
  console.log(`${tally}\n\n${showMemory(samples)}\n`)
  console.log(
    '| memory after a collection, medians | second quarter | last quarter | ratio | wanted |\n|---|---|---|---|---|',
  )
  for (const member of ['rss', 'heapUsed'] as const) {
    const [before, after] = [middle(1, member), middle(3, member)]
    const ratio = after / before
    console.log(
      `| ${member} | ${mebibytes(before)} | ${mebibytes(after)} | ${ratio.toFixed(3)} | ≤ ${MAX_GROWTH[member]} |`,
    )
    if (ratio > MAX_GROWTH[member]) process.exitCode = 1
  }
  const { p50, p99, p9999, max } = delays
  const columns = [p50, p99, p9999, max].map((delay) => `${delay.toFixed(1)} ms`)
  console.log(
    `\n| event-loop delay | p50 | p99 | p99.99 | max |\n|---|---|---|---|---|\n| | ${columns.join(' | ')} |`,
  )
  if (tally.requests < REQUESTS) {
    console.log(`\nStopped after ${MAX_MINUTES} minutes, before the last request.`)
    process.exitCode = 1
  }
  for (const [what, list] of Object.entries({
    unexpected: tally.unexpected,
    'failures in the server': failures,
  })) {
    if (list.length === 0) continue
    console.log(`\n${list.length} ${what}, the first of them:\n${list.slice(0, 10).join('\n')}`)
    process.exitCode = 1
  }
} finally {
  await pool.destroy()
  child.removeAllListeners('message')
  if (child.exitCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}
