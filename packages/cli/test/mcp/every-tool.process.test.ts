import { describe, expect, it } from 'vitest'
import { connectMcp } from '../support/mcp.ts'
import { type Service, SURVEY, testService } from '../support/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: results differ per tool
type Json = any
type Call = (
  name: string,
  args: Record<string, unknown>,
) => Promise<{ isError: boolean; text: string; value: Json }>

/** The configured service. */
async function configured(): Promise<Service> {
  const service = await testService({ limits: 'off' })
  return service
}

/** Uses every tool once, as an agent would that tests a receiver, and returns the names. */
async function walk(call: Call): Promise<string[]> {
  const used = new Set<string>()
  const use = async (name: string, args: Record<string, unknown>): Promise<Json> => {
    used.add(name)
    const { isError, value } = await call(name, args)
    expect({ name, failed: isError && value }).toEqual({ name, failed: false })
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
  return [...used].sort()
}

describe('every tool', () => {
  it('is used by the official client', async () => {
    const service = await configured()
    const capabilities = { elicitation: {} }
    const { client, call } = await connectMcp(['--allow-write'], service.env, { capabilities })
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept' as const,
      content: { confirm: true },
    }))
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(16)
    expect(await walk(call)).toEqual(tools.map(({ name }) => name).sort())
    expect(service.server.app.forms.get(SURVEY).status).toBe('closed')
  })

  it('refuses hostile arguments or survives them, and writes nothing to the service', async () => {
    const service = await configured()
    const { client, call } = await connectMcp(['--allow-write', '--answers'], service.env)
    const { tools } = await client.listTools()
    await call('server', { action: 'start' })
    const { value } = await call('form', { action: 'create' })
    const valid: Record<string, Record<string, unknown>> = {
      server: { action: 'status' },
      form: { action: 'get', form: value.form.id },
      submit: { form: value.form.id },
      receiver: { action: 'list' },
      fault: { action: 'list' },
      wait: { for: 'request', timeout_ms: 0 },
      check_receiver: { url: 'http://127.0.0.1:9/', secret: 'whsec_x', only: ['genuine'] },
      responses: { form: SURVEY },
      types: { forms: [SURVEY] },
      change: { action: 'close', form: SURVEY },
    }
    const hostile = [
      null,
      -1,
      1e308,
      [],
      [[[[]]]],
      { constructor: 1 },
      'x'.repeat(100_000),
      '../../../etc/passwd',
      '\u0000\u202e',
      "'; drop table forms; --",
    ]
    for (const { name, inputSchema } of tools) {
      const properties = [...Object.keys(inputSchema.properties ?? {}), '__proto__', 'unknown']
      for (const property of properties)
        for (const what of hostile) {
          const args = JSON.parse(JSON.stringify(valid[name] ?? {}))
          Object.defineProperty(args, property, { value: what, enumerable: true })
          const { text } = await call(name, args)
          expect(text.length, `${name} ${property}`).toBeLessThanOrEqual(32_000)
        }
    }
    expect((await call('server', { action: 'status' })).isError).toBe(false)
    const methods = service.server.app.requests.list().map(({ method }) => method)
    expect(new Set(methods)).toEqual(new Set(['GET']))
    expect(service.server.app.forms.get(SURVEY).status).toBe('published')
  })
})
