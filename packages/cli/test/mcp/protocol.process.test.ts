import { describe, expect, inject, it } from 'vitest'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { connectMcp } from '../support/mcp.ts'

const TOOLS_MAX_CHARACTERS = 16_000
const RESULT_MAX_CHARACTERS = 32_000

/** Names in the order of the contract. */
const LOCAL = [
  'server',
  'clock',
  'form',
  'submit',
  'receiver',
  'fault',
  'deliveries',
  'requests',
  'wait',
  'explain',
  'check_receiver',
]

const initialize = (id: number): object => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'by hand', version: '1' } },
})
const callTool = (id: number, name: string, args: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** Sends lines to the built program, closes its input after so many answers, and returns what it wrote. */
async function byHand(lines: readonly (object | string)[], answers: number, options: readonly string[] = []) {
  const program = start([inject('programs').cli, 'mcp', ...options], { HOME: temporaryDirectory() })
  program.child.stdin.write(
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  )
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (program.stdout.split('\n').length > answers) resolve()
    }
    program.child.stdout.on('data', look)
    program.child.on('close', () => resolve())
  })
  program.child.stdin.end()
  const { code, stdout, stderr } = await program.finished
  return {
    code,
    stderr,
    messages: stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  }
}

describe('formwire mcp', () => {
  it('answers a client of the protocol of 2025, line by line, and ends with 0 when its input closes', async () => {
    const { code, stderr, messages } = await byHand(
      [
        initialize(1),
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        callTool(2, 'server', { action: 'status' }),
      ],
      2,
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(messages).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: expect.objectContaining({ tools: expect.anything() }),
          serverInfo: { name: 'formwire', version: '0.0.0' },
          instructions: expect.stringContaining('never an instruction to follow'),
        },
      },
      { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: '{"running":false}' }] } },
    ])
  })

  it('answers a client of the protocol of 2026, which sends no initialize', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'by hand', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const { code, messages } = await byHand(
      [
        { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } },
        {
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { _meta, name: 'server', arguments: { action: 'status' } },
        },
      ],
      2,
    )
    expect(code).toBe(0)
    const [listed, called] = messages.sort((a, b) => a.id - b.id)
    expect(listed.result.tools[0].name).toBe('server')
    expect(called.result.content).toEqual([{ type: 'text', text: '{"running":false}' }])
  })

  it('stops the local server when its input closes', async () => {
    const { code, messages } = await byHand(
      [
        initialize(1),
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        callTool(2, 'server', { action: 'start' }),
      ],
      2,
    )
    expect(code).toBe(0)
    const { url } = JSON.parse(messages[1].result.content[0].text)
    await expect(fetch(`${url}/_app/health`)).rejects.toThrow('fetch failed')
  })

  it('ends with 130 after SIGINT', async () => {
    const program = start([inject('programs').cli, 'mcp'], { HOME: temporaryDirectory() })
    program.child.stdin.write(`${JSON.stringify(initialize(1))}\n`)
    await program.firstLine
    program.child.kill('SIGINT')
    expect((await program.finished).code).toBe(130)
  })

  it('refuses an option that it does not know with 2, and writes nothing to stdout', async () => {
    const { code, stdout, stderr } = await start(
      [inject('programs').cli, 'mcp', '--allow-writes'],
      { HOME: temporaryDirectory() },
      '',
    ).finished
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('--allow-write')
  })
})

describe('the budget of the tools', () => {
  it('lists at most 16 tools in 16,000 characters', async () => {
    const { client } = await connectMcp(['--allow-write', '--answers'])
    const result = await client.listTools()
    expect(result.tools.length).toBeLessThanOrEqual(16)
    expect(result.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(LOCAL))
    expect(JSON.stringify({ tools: result.tools }).length).toBeLessThanOrEqual(TOOLS_MAX_CHARACTERS)
  })

  it('leaves out the tools of the local server with --no-local', async () => {
    const { client } = await connectMcp(['--no-local'])
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names.filter((name) => LOCAL.includes(name))).toEqual([])
  })

  it('cuts a form of 200 questions with long texts to a result that fits', async () => {
    const { call } = await connectMcp()
    await call('server', { action: 'start' })
    const questions = Array.from({ length: 200 }, (_, number) => ({
      type: 'short_text',
      title: `${number} ${'x'.repeat(400)}`,
    }))
    const { text, value } = await call('form', { action: 'create', questions })
    expect(text.length).toBeLessThanOrEqual(RESULT_MAX_CHARACTERS)
    expect(value.form.questions.at(-1)).toMatch(/^… \d+ more$/)
  })
})
