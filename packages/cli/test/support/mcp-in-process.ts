import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { sleepOf } from '@formwire/internal/clock'
import {
  Client,
  type ClientCapabilities,
  type ElicitRequest,
  type ElicitResult,
  type Transport,
} from '@modelcontextprotocol/client'
import { expect, onTestFinished } from 'vitest'
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
  /** Aborts like a signal. */
  stop?: AbortSignal
  /** The time of the program. */
  now?: () => number
  /** The clock of everything in the program. @default time that stands still, in which what takes two seconds or less is over at once */
  clock?: ManualClock
}

/** A connection to `formwire mcp`. */
export interface Mcp {
  client: Client
  /** Calls a tool and returns its result, parsed; an error as `{ error }`. */
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Json>
  /** Calls tools one after another, and compares what each returns with what it has to contain. */
  expectAll(calls: readonly ToolCall[]): Promise<void>
  /** Every line that the program has written to stdout. */
  lines: string[]
  /** What it has written to stderr. */
  stderr(): string
}

// biome-ignore lint/suspicious/noExplicitAny: tests compare results with literals
export type Json = any

/** A call of a tool, and what its result contains. */
export type ToolCall = readonly [tool: string, args: Record<string, unknown>, result: Json]

/** Whether a result is an error, and not an object that has one. */
const isFailure = (value: Json): boolean => Object.keys(value).join() === 'error'

/** The result of a call that is refused. */
export const refused = (code: string, argument: string): Json => ({ error: { code, details: { argument } } })

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
      : {
          now: options.now ?? (() => NOON),
          sleep: (ms) => (ms <= 2_000 ? Promise.resolve() : new Promise(() => undefined)),
        },
    clientClock: clock ?? quickClock(15_000),
    homeDir: temporaryDirectory(),
    stop: options.stop ?? new AbortController().signal,
    execProgram: () => undefined,
    randomId: () => `token-${++tokens}`,
  })
  return { stdin, stdout, ended, stderr: () => stderr }
}

/** The first messages of a client of 2025. */
export const opening = (capabilities: object = {}): object[] => [
  {
    jsonrpc: '2.0',
    id: 'opening',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'by hand', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]

/** The message that calls a tool. */
export const callTool = (id: number, name: string, args: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

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
  const transport = lineTransport(stdin, stdout)
  const client = clientOf(options)
  await client.connect(transport)
  onTestFinished(async () => {
    await client.close()
    stdin.end()
    await ended
  })
  const call: Mcp['call'] = async (name, args = {}, signal) => {
    const result = await client.callTool({ name, arguments: args }, signal ? { signal } : undefined)
    const [content] = result.content as { text: string }[]
    const value = JSON.parse(content?.text ?? '')
    expect(Boolean(result.isError), content?.text).toBe(isFailure(value))
    return value
  }
  return {
    client,
    call,
    async expectAll(calls) {
      for (const [tool, args, result] of calls)
        expect(await call(tool, args), `${tool} ${JSON.stringify(args).slice(0, 100)}`).toMatchObject(result)
    },
    lines: transport.lines,
    stderr,
  }
}

/** Starts a local server, and forms that each send to their own receiver with this script. */
export async function startForms(...scripts: (readonly unknown[])[]): Promise<Mcp & { forms: string[] }> {
  const mcp = await startMcp([])
  await mcp.call('server', { action: 'start', now: new Date(NOON).toISOString() })
  const forms: string[] = []
  for (const script of scripts) {
    const { id: receiver } = await mcp.call('receiver', { action: 'start', script })
    forms.push((await mcp.call('form', { action: 'create', receiver })).form.id)
  }
  return { ...mcp, forms }
}

/** Reads every page of a list, and returns its items. Each page is within the limit, and has what `limit` allows. */
export async function readAll(
  { client }: Mcp,
  name: string,
  args: Record<string, unknown>,
  itemsOf: (page: Json) => Json[] = ({ items }) => items,
): Promise<Json[]> {
  const all: Json[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const given = { ...args, limit: 100, ...(cursor !== undefined && { cursor }) }
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [block] = content as { text: string }[]
    const text = block?.text ?? ''
    expect(isError, text).toBeFalsy()
    expect(text.length).toBeLessThanOrEqual(32_000)
    const page = JSON.parse(text)
    expect(Object.keys(page), text.slice(0, 100)).toContain('next_cursor')
    expect(itemsOf(page).length).toBeGreaterThan(0)
    all.push(...itemsOf(page))
    cursor = page.next_cursor
  }
  return all
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

/** Messages as lines, as over the streams of a process, and the lines that the program has written. */
function lineTransport(stdin: PassThrough, stdout: PassThrough): Transport & { lines: string[] } {
  let rest = ''
  const transport: Transport & { lines: string[] } = {
    lines: [],
    async start() {
      stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        transport.lines.push(...lines)
        for (const line of lines) transport.onmessage?.(JSON.parse(line))
      })
    },
    async send(message) {
      if (!stdin.write(`${JSON.stringify(message)}\n`)) await once(stdin, 'drain')
    },
    async close() {
      transport.onclose?.()
    },
  }
  return transport
}
