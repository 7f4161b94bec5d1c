import { createServer, type IncomingMessage, type Server } from 'node:http'
import { signWebhook, verifyWebhook } from '@formwire/webhook-verify'
import { freePort } from '../../../../test/support/free-port.ts'
import { serve } from '../../../../test/support/serve.ts'
import { Stopped } from '../../src/failure.ts'
import { type CommandLine, NOON, runCli, wordsOf } from './run-cli.ts'
import { SURVEY } from './service.ts'
import { until } from './wait.ts'

/** Secret of the tests' endpoint. */
export const SECRET = 'whsec_0123456789abcdef'

/** A request that a handler has received. */
interface HandledRequest {
  headers: IncomingMessage['headers']
  body: Buffer
}

/** A handler on a free port. */
export interface TestHandler {
  url: string
  port: number
  got: HandledRequest[]
  server: Server
}

/** Starts a handler that responds with these statuses in turn, then with 200, and records its requests, until the test has finished. */
export async function startHandler(...statuses: number[]): Promise<TestHandler> {
  const got: HandledRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    got.push({ headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(statuses[got.length - 1] ?? 200).end('handled')
  })
  const url = await serve(server)
  return { url: `${url}/hook`, port: Number(new URL(url).port), got, server }
}

/** Returns the first event that a handler got, and its headers and body. @throws if it is not signed with the secret */
export function firstOf({ got }: TestHandler, secret = SECRET, now = NOON) {
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = got
  return { event: verifyWebhook({ secret, headers, body, now }), headers, body: body.toString() }
}

/** A running `listen`. */
export interface RunningListen {
  url: string
  result: ReturnType<typeof runCli>
  stop: AbortController
  /** Stops it, and resolves to its result. */
  end(why?: 'interrupted' | 'output closed'): ReturnType<typeof runCli>
  /** Writes to stdout. */
  lines: string[]
  /** Text on stderr so far. */
  stderr(): string
}

/** Starts `listen` and waits until it accepts requests. */
export async function startListen(
  line: CommandLine,
  env: Record<string, string | undefined>,
  options: Partial<Parameters<typeof runCli>[1]> = {},
): Promise<RunningListen> {
  const port = await freePort()
  const running = startPlain(['listen', '--port', String(port), ...wordsOf(line)], env, options)
  const url = `http://127.0.0.1:${port}`
  await until('listen to accept requests', () =>
    fetch(url).then(
      (response) => response.status === 405,
      () => false,
    ),
  )
  return { url, ...running }
}

/** Starts a command without waiting for anything. */
export function startPlain(
  line: CommandLine,
  env: Record<string, string | undefined>,
  options: Partial<Parameters<typeof runCli>[1]> = {},
): Omit<RunningListen, 'url'> {
  const stop = new AbortController()
  const lines: string[] = []
  let errors = ''
  const result = runCli(line, {
    env: { NO_COLOR: '1', ...env },
    stop: stop.signal,
    onStdout: (text) => lines.push(text),
    onStderr: (text) => {
      errors += text
    },
    ...options,
  })
  const end = (why: 'interrupted' | 'output closed' = 'interrupted') => {
    stop.abort(new Stopped(why))
    return result
  }
  return { result, stop, end, lines, stderr: () => errors }
}

/** The content of `signed`. */
export const PAYLOAD = {
  form: { id: SURVEY, title: 'Customer survey' },
  response: {
    id: 7,
    submitted_at: '2026-11-21T12:00:00Z',
    answers: [{ question_id: 'name', title: 'Name', type: 'short_text', value: 'Bo', text: 'Bo' }],
    score: null,
    max_score: null,
    meta: {},
  },
}

/** Returns a delivery signed with `SECRET` at noon. */
export const signed = (change: Partial<Parameters<typeof signWebhook>[0]> = {}) =>
  signWebhook({
    secret: SECRET,
    event: 'response.submitted',
    payload: PAYLOAD,
    deliveryId: 'dlv_1',
    timestamp: new Date(NOON),
    ...change,
  } as never)

/** Sends a delivery. */
export const post = (url: string, { headers, body }: { headers: Record<string, string>; body: string }) =>
  fetch(url, { method: 'POST', headers, body })
