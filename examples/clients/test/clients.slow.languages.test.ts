/** That they lose nothing and repeat nothing while responses come and go, and in a kill, is rehearsed in test/docs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createReferenceServer } from '@formwire/reference-server'
import { afterEach, describe, expect, it } from 'vitest'
import { goProgram } from '../../../test/support/go.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'

const CLIENTS = [
  { name: 'python', file: 'follow.py', responses: 60, failure: 'retries' },
  // Its pages hold 100. It leaves what has no Retry-After to the next run.
  { name: 'go', file: 'poll.go', responses: 350, failure: 'ends' },
]

/** What a client needs to know of a list. */
interface List {
  url: string
  apiKey: string
  formId: string
}

const idOf = (line: string): number => JSON.parse(line).id

// Compiling Go's standard library for the first time takes minutes on a slow machine.
describe.each(CLIENTS)('the client in $name', { timeout: 300_000 }, ({ name, file, responses, failure }) => {
  const folder = temporaryDirectory()
  const open: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
  })

  /** Starts the client in the folder of its checkpoint. */
  function start(list: List, cwd: string): ChildProcess {
    const source = fileURLToPath(new URL(`../${name}/${file}`, import.meta.url))
    const [command = '', ...args] = name === 'go' ? [goProgram('clients/go')] : ['python3', source]
    return spawn(command, [...args, list.formId], {
      cwd,
      env: {
        ...process.env,
        NO_PROXY: '*',
        PYTHONDONTWRITEBYTECODE: '1',
        FORMWIRE_BASE_URL: list.url,
        FORMWIRE_API_KEY: list.apiKey,
        PER_PAGE: '5',
        INTERVAL: '0.01',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  /** Runs the client, again when it has ended, until `isLast` of a line; returns the lines. */
  async function linesUntil(
    list: List,
    checkpoint: string,
    isLast: (line: string) => boolean,
    codes: readonly number[],
  ): Promise<string[]> {
    const cwd = join(folder, checkpoint)
    mkdirSync(cwd, { recursive: true })
    const lines: string[] = []
    for (let stopped = false; !stopped; ) {
      const child = start(list, cwd)
      const closed = once(child, 'close')
      // Until the end: what the client has printed before it was killed counts.
      for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
        lines.push(line)
        if (!isLast(line)) continue
        stopped = true
        child.kill('SIGKILL')
      }
      const [code] = await closed
      // A client may have ended before it is killed.
      if (!stopped || code !== null) expect(codes).toContain(code)
    }
    return lines
  }

  it('[RATE-03] [POLL-02] waits as long as Retry-After asks, and loses nothing to refusals and dropped connections', async () => {
    const server = createReferenceServer({ limits: 'off' })
    open.push(() => server.close())
    const { url } = await server.listen({ port: 0 })
    const formId = server.app.forms.create({ title: 'Survey' }).id
    const created = Array.from({ length: responses }, () => server.app.responses.create(formId).id)
    // One request each, in this order. `delay_ms: 0` changes nothing.
    for (const fault of [
      { delay_ms: 0 },
      { status: 429, retry_after: 1 },
      { delay_ms: 0 },
      { reset: true },
      { delay_ms: 0 },
      { status: 503, retry_after: 1 },
      { reset: 'middle' },
      { truncate: true },
    ] as const) {
      server.app.faults.add({ ...fault, times: 1 })
    }
    const list = { url, apiKey: server.readKey, formId }
    const codes = failure === 'ends' ? [0, 1] : [0]
    const lines = await linesUntil(list, 'faults', (line) => idOf(line) === created.at(-1), codes)
    expect(lines.map(idOf)).toEqual(created)
    expect(server.app.faults.list()).toEqual([])
    const requests = server.app.requests.list().reverse()
    for (const status of [429, 503]) {
      const refused = requests.findIndex((request) => request.status === status)
      const [at, next] = requests.slice(refused, refused + 2).map((one) => Date.parse(one.received_at))
      expect((next as number) - (at as number)).toBeGreaterThanOrEqual(999)
    }
  })

  it('prints numbers as received, after a response that was cut off', async () => {
    const row =
      '{"id":9007199254740993,"submitted_at":"2026-11-21T09:30:00Z","answers":[{"value":12345678901234567890}]}'
    const body = `{"data":[${row}],"meta":{"page":1,"per_page":100,"total":1}}`
    let requests = 0
    const server = createServer((_request, response) => {
      requests += 1
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      // The connection is closed in an orderly manner, as a proxy does it whose upstream went away.
      if (requests === 1) response.write(body.slice(0, 60), () => response.socket?.end())
      else response.end(body)
    }).listen(0, '127.0.0.1')
    open.push(async () => {
      server.close().closeAllConnections()
    })
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const list = { url: `http://127.0.0.1:${port}`, apiKey: 'svc_test', formId: 'guestvoice01' }
    const codes = failure === 'ends' ? [0, 1] : [0]
    const [line = ''] = await linesUntil(list, 'numbers', () => true, codes)
    expect(line.replaceAll(' ', '')).toBe(row)
    expect(requests).toBeGreaterThan(1)
  })
})
