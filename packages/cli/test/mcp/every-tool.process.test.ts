import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { YES } from '../support/changing.ts'
import { type Mcp, opening } from '../support/mcp-in-process.ts'
import { SURVEY, testService } from '../support/service.ts'

/** Connects the official client to the built program. @param agrees whether its user can be asked, and agrees */
async function connectMcp(flags: readonly string[], env: Record<string, string>, agrees = false) {
  const capabilities = agrees ? { elicitation: {} } : {}
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities })
  onTestFinished(() => client.close())
  if (agrees) client.setRequestHandler('elicitation/create', async () => YES)
  const args = [inject('programs').cli, 'mcp', ...flags]
  const variables = { PATH: process.env.PATH ?? '', HOME: temporaryDirectory(), ...env }
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: variables }))
  const call: Mcp['call'] = async (name, given = {}) => {
    const { content } = await client.callTool({ name, arguments: given })
    const [block, ...others] = content as { text: string }[]
    expect([others, (block?.text.length ?? 0) <= 32_000]).toEqual([[], true])
    return JSON.parse(block?.text ?? '')
  }
  return { client, call }
}

describe('every tool', () => {
  it('is used by the official client', async () => {
    const { server, env } = await testService({ limits: 'off' })
    const { client, call } = await connectMcp(['--allow-write'], env, true)
    const used = new Set<string>()
    const use: typeof call = async (name, args) => {
      used.add(name)
      const value = await call(name, args)
      expect(Object.keys(value), name).not.toEqual(['error'])
      return value
    }
    await use('server', { action: 'start' })
    const receiver = await use('receiver', { action: 'start', script: [500] })
    const { form, webhook } = await use('form', { action: 'create', receiver: receiver.id })
    await use('submit', { form: form.id })
    const failed = await use('wait', { for: 'delivery', match: { attempts: 1 } })
    expect(failed).toMatchObject({ status: 'pending', http_status: 500, webhook_id: webhook.id })
    const { causes } = await use('explain', { delivery: failed.id })
    expect(causes[0].name).toBe('scripted')
    await use('clock', { advance: '1m' })
    expect((await use('deliveries', {})).items).toMatchObject([{ id: failed.id, status: 'delivered' }])
    expect((await use('requests', {})).items).toEqual([])
    expect((await use('fault', { action: 'list' })).items).toEqual([])
    expect(await use('check_receiver', { url: receiver.url, only: ['genuine'] })).toMatchObject({ ok: true })
    expect((await use('docs', { query: 'retry schedule' })).results.length).toBeGreaterThan(0)
    const { text } = await use('docs', { page: 'docs/reference/commands/webhooks.md#formwire-trigger' })
    expect(text).toContain('--forward-to')
    expect(JSON.stringify(await use('forms', {}))).toContain(SURVEY)
    expect((await use('responses', { form: SURVEY })).items).toHaveLength(2)
    expect(JSON.stringify(await use('types', { forms: [SURVEY] }))).toContain('export')
    await use('change', { action: 'close', form: SURVEY })
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(16)
    expect([...used].sort()).toEqual(tools.map(({ name }) => name).sort())
    expect(server.app.forms.get(SURVEY).status).toBe('closed')
  })

  it('refuses hostile arguments or survives them, and writes nothing to the service', async () => {
    const { server, env } = await testService({ limits: 'off' })
    const { client, call } = await connectMcp(['--allow-write', '--answers'], env)
    const { tools } = await client.listTools()
    await call('server', { action: 'start' })
    const { form } = await call('form', { action: 'create' })
    const valid: Record<string, Record<string, unknown>> = {
      server: { action: 'status' },
      form: { action: 'get', form: form.id },
      submit: { form: form.id },
      receiver: { action: 'list' },
      fault: { action: 'list' },
      wait: { for: 'request', timeout_ms: 0 },
      check_receiver: { url: 'http://127.0.0.1:9/', secret: 'whsec_x', only: ['genuine'] },
      responses: { form: SURVEY },
      types: { forms: [SURVEY] },
      change: { action: 'close', form: SURVEY },
    }
    const texts = ['x'.repeat(100_000), '../../../etc/passwd', '\u0000\u202e']
    const hostile = [null, -1, 1e308, [[[[]]]], { constructor: 1 }, ...texts]
    for (const { name, inputSchema } of tools) {
      const properties = [...Object.keys(inputSchema.properties ?? {}), '__proto__', 'unknown']
      for (const property of properties)
        await Promise.all(
          hostile.map(async (value) => {
            const args = Object.defineProperty({ ...valid[name] }, property, { value, enumerable: true })
            // The result is within its limit.
            await call(name, args)
          }),
        )
    }
    expect((await call('server', { action: 'status' })).error).toBeUndefined()
    const methods = server.app.requests.list().map(({ method }) => method)
    expect(new Set(methods)).toEqual(new Set(['GET']))
    expect(server.app.forms.get(SURVEY).status).toBe('published')
  })

  it('writes nothing but messages, and ends with 0 when its input closes', async () => {
    const program = start([inject('programs').cli, 'mcp'], { HOME: temporaryDirectory() })
    program.child.stdin.write(`${JSON.stringify(opening()[0])}\n`)
    await program.firstLine
    program.child.stdin.end()
    const { code, stdout, stderr } = await program.finished
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(['2.0'])
  })

  it('ends with 130 after SIGINT', async () => {
    const program = start([inject('programs').cli, 'mcp'], { HOME: temporaryDirectory() })
    program.child.stdin.write(`${JSON.stringify(opening()[0])}\n`)
    await program.firstLine
    program.child.kill('SIGINT')
    expect((await program.finished).code).toBe(130)
  })
})
