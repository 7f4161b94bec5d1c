import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { sleepOf } from '@formwire/internal/clock'
import {
  Client,
  type ClientCapabilities,
  type ElicitRequest,
  type ElicitResult,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { quickClock } from '../../../../test/support/quick-clock.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import type { ManualClock } from '../../../sdk/test/support/manual-clock.ts'
import { main } from '../../src/main.ts'
import { NOON } from './run-cli.ts'

export interface McpOptions {
  env?: Record<string, string | undefined>
  /** Protocol of the client: the one of 2025 with a handshake, or that of 2026. @default 2025 */
  era?: '2025' | '2026'
  /** What the user replies. Without it, the client cannot ask. */
  onAsk?: (request: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>
  /** The time of the program. */
  now?: () => number
  /** The clock of everything in the program. @default time that stands still, and requests that wait for nothing */
  clock?: ManualClock
}

/** A connection to `formwire mcp`. */
export interface Mcp {
  client: Client
  /** Calls a tool and returns its result, parsed; an error as `{ error }`. */
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Json>
  /** Every line that the program has written to stdout. */
  lines: string[]
  /** What it has written to stderr. */
  stderr(): string
}

// biome-ignore lint/suspicious/noExplicitAny: tests compare results with literals
export type Json = any

/** Starts `formwire mcp` in this process. */
function startProgram(flags: readonly string[], options: McpOptions) {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const { clock } = options
  let stderr = ''
  let tokens = 0
  const ended = main(['mcp', ...flags], {
    env: options.env ?? {},
    stdin,
    stdout: stdout as never,
    stderr: {
      write(text) {
        stderr += text
        return true
      },
    },
    clock: clock
      ? { now: () => clock.now(), sleep: sleepOf(clock) }
      : { now: options.now ?? (() => NOON), sleep: () => new Promise(() => undefined) },
    clientClock: clock ?? quickClock(15_000),
    homeDir: temporaryDirectory(),
    stop: new AbortController().signal,
    execProgram: () => undefined,
    randomId: () => `token-${++tokens}`,
  })
  return { stdin, stdout, ended, stderr: () => stderr }
}

/** Writes lines to `formwire mcp` in this process, ends its input, and returns what it wrote to stdout, and its exit code. */
export async function mcpByHand(
  input: readonly (string | Buffer | object)[],
  options: McpOptions = {},
  flags: readonly string[] = [],
): Promise<{ code: number; messages: Json[] }> {
  const { stdin, stdout, ended } = startProgram(flags, options)
  for (const line of input) {
    const isText = typeof line === 'string' || Buffer.isBuffer(line)
    if (!stdin.write(isText ? line : JSON.stringify(line))) await once(stdin, 'drain')
    stdin.write('\n')
  }
  stdin.end()
  const code = await ended
  const lines = String(stdout.read() ?? '').split('\n')
  return { code, messages: lines.slice(0, -1).map((line) => JSON.parse(line)) }
}

/** Runs `formwire mcp` in this process and connects the official client to it, until the test ends. */
export async function startMcp(flags: readonly string[], options: McpOptions = {}): Promise<Mcp> {
  const { stdin, stdout, ended, stderr } = startProgram(flags, options)
  const transport = new StreamTransport(stdin, stdout)
  const client = clientOf(options)
  await client.connect(transport)
  onTestFinished(async () => {
    await client.close()
    stdin.end()
    await ended
  })
  return {
    client,
    async call(name, args = {}, signal) {
      const result = await client.callTool({ name, arguments: args }, signal ? { signal } : undefined)
      const [content] = result.content as { text: string }[]
      return JSON.parse(content?.text ?? '')
    },
    lines: transport.lines,
    stderr,
  }
}

function clientOf({ era = '2025', onAsk }: McpOptions): Client {
  const capabilities: ClientCapabilities = onAsk ? { elicitation: { form: {} } } : {}
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities, ...(era === '2026' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }) },
  )
  if (onAsk) client.setRequestHandler('elicitation/create', ({ params }) => onAsk(params))
  return client
}

/** Messages as lines, as over the streams of a process. */
class StreamTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly lines: string[] = []
  readonly #stdin: PassThrough
  readonly #stdout: PassThrough
  #rest = ''

  constructor(stdin: PassThrough, stdout: PassThrough) {
    this.#stdin = stdin
    this.#stdout = stdout
  }

  async start(): Promise<void> {
    this.#stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n')
      this.#rest = lines.pop() ?? ''
      this.lines.push(...lines)
      for (const line of lines) this.onmessage?.(JSON.parse(line))
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#stdin.write(`${JSON.stringify(message)}\n`)) await once(this.#stdin, 'drain')
  }

  async close(): Promise<void> {
    this.onclose?.()
  }
}
