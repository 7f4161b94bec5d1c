/**
 * Checks memory and responsiveness of the reference server under 1,000,000 requests, many of them hostile: malformed,
 * oversized, half-sent, cut off. Reports memory and event-loop delay of the server process. Exits with 1 after an
 * unexpected response status, a failure in the server, or growing memory. Build first.
 *
 *     npx tsx --conditions=@formwire/source bench/soak.ts [requests]
 */
import { connect } from 'node:net'
import { Pool } from 'undici'
import { startChild } from './support/child.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'
import { median, randomFrom } from './support/statistics.ts'

const REQUESTS = Number(process.argv[2] ?? 1_000_000)
const random = randomFrom(1)
const CONCURRENCY = 32
/** How often memory is measured, evenly over the requests. */
const SAMPLES = 40
const RESPONSE_DEADLINE_MS = 60_000
/** One submission of this many has a text of almost 1 MiB. */
const LARGE_TEXT_EVERY = 2_000
const LARGE_TEXT = 'a\u0301.@/'.repeat(150_000)
/** Growth from the second to the last quarter of the run that still counts as flat. */
const MAX_GROWTH = { rss: 1.1, heapUsed: 1.05 }

/** What the server sends when it listens. */
type Target = Record<'url' | 'formId' | 'slug' | 'readKey' | 'writeKey' | 'adminToken', string>

/** A response status; 'cut' if the client disconnects without waiting for one. */
type Result = number | 'cut'

/** A kind of request: its share, its name, the results that are allowed, and what sends one and returns its results. */
type Kind = [weight: number, name: string, allowed: readonly Result[], send: () => Promise<Result[]>]

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item
}

/** Writes text to a new socket. Disconnects once it is written, or at the first bytes of the response. */
function sendRaw(port: number, text: string, leaves: 'written' | 'responded'): Promise<Result[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const deadline = setTimeout(() => {
      reject(new Error(`No response within ${RESPONSE_DEADLINE_MS} ms to ${text.slice(0, 80)}`))
      socket.destroy()
    }, RESPONSE_DEADLINE_MS)
    let result: Result = 'cut'
    socket.on('connect', () => {
      socket.write(text, () => {
        if (leaves === 'written') socket.destroy()
      })
    })
    socket.on('data', (chunk) => {
      if (leaves === 'responded') result = Number(chunk.toString('latin1', 9, 12))
      socket.destroy()
    })
    // The server may reset a refused connection.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(deadline)
      resolve([result])
    })
  })
}

function head(method: string, path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** The mix of requests. Each accepted submission is followed by two more requests. */
function mixFor({ url, formId, slug, readKey, writeKey, adminToken }: Target, pool: Pool): Kind[] {
  const port = Number(new URL(url).port)
  const form = `/api/v1/forms/${formId}`
  const json = { 'content-type': 'application/json' }
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

  async function request(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
    const response = await pool.request({
      method: method as 'GET',
      path,
      headers,
      ...(body !== undefined && { body }),
    })
    return { status: response.statusCode, text: await response.body.text() }
  }
  const get = async (path: string, key?: string) => [
    (await request('GET', path, key === undefined ? {} : bearer(key))).status,
  ]
  const patch = async (body: string, key = writeKey) => [
    (await request('PATCH', form, { ...bearer(key), ...json }, body)).status,
  ]

  let submissions = 0
  let deletions: Promise<unknown> = Promise.resolve()
  /** Deletes the newest response after each accepted one, so that the number of responses stays the same. */
  async function submit(): Promise<Result[]> {
    submissions += 1
    const questions = ['name', 'text', 'mail', 'site', 'phone'].filter(() => random() < 0.4)
    const answers = questions.map((question_id) => ({ question_id, value: pick(HOSTILE_TEXTS) }))
    const large = [{ question_id: pick(['text', 'mail', 'site', 'phone']), value: LARGE_TEXT }]
    const body = JSON.stringify({ answers: submissions % LARGE_TEXT_EVERY === 0 ? large : answers })
    const submitted = await request('POST', `/f/${slug}`, json, body)
    if (submitted.status !== 201) return [submitted.status]
    const deletion = deletions.then(deleteNewest)
    deletions = deletion.catch(() => undefined)
    return [submitted.status, ...(await deletion)]
  }

  /** Runs one at a time, since two deletions could read the same id. */
  async function deleteNewest(): Promise<Result[]> {
    const list = await request('GET', `${form}/responses?per_page=1`, bearer(readKey))
    const id: number = JSON.parse(list.text).data[0].id
    return [list.status, (await request('DELETE', `${form}/responses/${id}`, bearer(writeKey))).status]
  }

  const MALFORMED = ['{', '{"title":', '[[[[', 'nul', '{"title":"\ud800"', '\0']
  const BROKEN_PATHS = ['/forms/%zz', '/forms/%', '/forms?status=%e0%a4', '/forms?%ff=1']
  const OUT_OF_RANGE = ['page=-1', 'page=', 'per_page=101', 'per_page=9999999999999999999', 'status=%00']
  const oversized = (length: number) =>
    head('PATCH', form, { ...bearer(writeKey), ...json, 'Content-Length': String(length) })
  const HALF = [
    'GET /api/v1/me HT',
    head('GET', '/api/v1/me').slice(0, -2),
    `${oversized(100)}{"title"`,
    '\x16\x03\x01\x02\x00',
  ]
  const upload = `${head('POST', `/f/${slug}/files`, {
    'Content-Type': 'multipart/form-data; boundary=x',
    'Content-Length': '1000000',
  })}--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${'x'.repeat(16_384)}`
  const stream = head('GET', '/_app/deliveries/stream', bearer(adminToken))
  const number = () => Math.floor(random() * 1e15)
  return [
    [20, 'list of responses', [200], () => get(`${form}/responses?per_page=25`, readKey)],
    [12, 'one form', [200], () => get(form, readKey)],
    [6, 'me', [200], () => get('/api/v1/me', writeKey)],
    [8, 'new title', [200], () => patch(`{"title":"Soak ${number()}"}`)],
    [3, 'write with a read key', [403], () => patch('{"title":"x"}', readKey)],
    [8, 'invalid key', [401], () => get('/api/v1/me', `svc_${number()}`)],
    [3, 'no key', [401], () => get('/api/v1/forms')],
    [3, 'unknown path', [404], () => get(`/api/v1/${number()}`, readKey)],
    [6, 'malformed JSON', [400], () => patch(pick(MALFORMED))],
    [5, 'broken percent-encoding', [400], () => get(`/api/v1${pick(BROKEN_PATHS)}`, readKey)],
    [4, 'parameters out of range', [422], () => get(`/api/v1/forms?${pick(OUT_OF_RANGE)}`, readKey)],
    [2, 'public page', [200], () => get(`/f/${slug}`)],
    [8, 'hostile submission', [201, 200, 204, 422], submit],
    // Twice what a request body may have.
    [1, 'oversized body', [400], () => sendRaw(port, oversized(2_097_152) + 'x'.repeat(65_536), 'responded')],
    [6, 'half-sent request', ['cut'], () => sendRaw(port, pick(HALF), 'written')],
    [2, 'upload cut off', ['cut'], () => sendRaw(port, upload, 'written')],
    [1, 'stream opened and dropped', [200], () => sendRaw(port, stream, 'responded')],
  ]
}

const counts: Record<string, number> = {}
const unexpected: string[] = []
let sent = 0

/** Sends the mix with `CONCURRENCY` requests at a time, until this many have been sent. */
async function sendUntil(requests: number, kinds: readonly Kind[]): Promise<void> {
  const worker = async () => {
    while (sent < requests) {
      const [, name, allowed, send] = pick(kinds)
      const results = await send().catch((error: unknown) => [String(error)])
      for (const result of results) {
        sent += 1
        counts[`${name}: ${result}`] = (counts[`${name}: ${result}`] ?? 0) + 1
        if (!allowed.includes(result as Result)) unexpected.push(`${name}: ${result}`)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`

const script = new URL('support/soak-server.mjs', import.meta.url)
const server = await startChild<Target>(script, [], ['--expose-gc'])
const pool = new Pool(server.ready.url, {
  connections: CONCURRENCY,
  headersTimeout: RESPONSE_DEADLINE_MS,
  bodyTimeout: RESPONSE_DEADLINE_MS,
})
try {
  const kinds = mixFor(server.ready, pool).flatMap((kind) => Array<Kind>(kind[0]).fill(kind))
  const startedAt = performance.now()
  const samples: Record<keyof typeof MAX_GROWTH, number>[] = []
  // The first requests are not measured: code is compiled, and what is bounded fills up.
  for (let count = -2; count < SAMPLES; count += 1) {
    await sendUntil(((count + 3) * REQUESTS) / (SAMPLES + 2), kinds)
    const memory = await server.ask<(typeof samples)[number]>('sample')
    if (count >= 0) samples.push(memory)
  }
  const { failures, ...delays } = await server.ask<{ failures: string[] } & Record<string, number>>('delays')
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(`${sent.toLocaleString('en')} requests in ${seconds} s, Node ${process.version}\n`)
  console.table(counts)
  for (const [member, goal] of Object.entries(MAX_GROWTH) as [keyof typeof MAX_GROWTH, number][]) {
    const quarter = (index: number) =>
      median(samples.slice((SAMPLES / 4) * index, (SAMPLES / 4) * (index + 1)).map((one) => one[member]))
    const [before, after] = [quarter(1), quarter(3)]
    const growth = `${mebibytes(after)} / ${mebibytes(before)} = ${(after / before).toFixed(3)}×`
    console.log(`${member}, last quarter / second quarter (medians): ${growth}, goal ≤ ${goal}`)
    if (after / before > goal) process.exitCode = 1
  }
  console.log('event-loop delay in ms:', delays)
  for (const problem of [...unexpected, ...failures].slice(0, 10)) console.error(problem)
  console.log(`${unexpected.length} unexpected results, ${failures.length} failures in the server`)
  if (unexpected.length + failures.length > 0) process.exitCode = 1
} finally {
  await pool.destroy()
  server.stop()
}
