import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { connectMcp, type McpClient } from '../support/mcp.ts'

const NOW = '2026-11-21T12:00:00.000Z'

/** Starts a server and a form whose endpoint sends to a receiver with this script. */
async function startForm({ call }: McpClient, script: readonly unknown[] = []) {
  await call('server', { action: 'start', now: NOW })
  const { value: receiver } = await call('receiver', { action: 'start', script })
  const { value } = await call('form', { action: 'create', title: 'Feedback', receiver: receiver.id })
  return {
    form: value.form.id as string,
    webhook: value.webhook.id as number,
    receiver: receiver.id as number,
    value,
  }
}

describe('the local server over MCP', () => {
  it('starts on loopback with a manual clock and keys that work', async () => {
    const { call } = await connectMcp()
    const { value } = await call('server', { action: 'start', now: NOW })
    expect(value).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      write_key: expect.stringMatching(/^svc_\w{40}$/),
      read_key: expect.stringMatching(/^svc_\w{40}$/),
      admin_token: expect.any(String),
      clock: { mode: 'manual', now: NOW },
      note: expect.stringContaining('start with clock real'),
    })
    const me = await fetch(`${value.url}/api/v1/me`, {
      headers: { authorization: `Bearer ${value.write_key}` },
    })
    expect(me.status).toBe(200)
    expect((await call('requests')).value.items).toMatchObject([{ path: '/api/v1/me', status: 200 }])
  })

  it('starts from the demo, resets it, and stops', async () => {
    const { call } = await connectMcp()
    await call('server', { action: 'start', seed: 'demo' })
    const count = (await call('form', { action: 'list' })).value.items.length
    await call('form', { action: 'create' })
    expect((await call('form', { action: 'list' })).value.items).toHaveLength(count + 1)
    await call('server', { action: 'reset' })
    expect((await call('form', { action: 'list' })).value.items).toHaveLength(count)
    expect((await call('server', { action: 'stop' })).value).toEqual({ stopped: true })
    expect((await call('server', { action: 'status' })).value).toEqual({ running: false })
  })

  it('sends no delivery beyond this machine, also to an endpoint of a seed', async () => {
    const { call } = await connectMcp()
    const file = join(temporaryDirectory(), 'seed.json')
    const forms = [
      {
        id: 'seeded000001',
        title: 'Seeded',
        questions: [{ id: 'q', type: 'short_text', title: 'Q' }],
        webhooks: [{ url: 'https://93.184.216.34/' }],
      },
    ]
    const users = [{ name: 'Ada', email: 'ada@example.com' }]
    const members = [{ user: 'ada@example.com', role: 'owner' }]
    writeFileSync(file, JSON.stringify({ version: 2, users, workspaces: [{ name: 'One', members, forms }] }))
    await call('server', { action: 'start', seed: file })
    await call('submit', { form: 'seeded000001' })
    expect(
      (await call('wait', { for: 'delivery', match: { error: 'address_refused', attempts: 1 } })).isError,
    ).toBe(false)
  })

  it.skipIf(process.platform === 'win32')(
    'refuses a seed that is no regular file, such as its own input',
    async () => {
      const { call } = await connectMcp()
      const socket = join(temporaryDirectory(), 'socket')
      const listening = createServer().listen(socket)
      onTestFinished(() => void listening.close())
      await once(listening, 'listening')
      for (const seed of [socket, '/dev/stdin', tmpdir()]) {
        expect(await call('server', { action: 'start', seed }), seed).toMatchObject({
          isError: true,
          value: { error: { code: 'invalid_argument', details: { argument: 'seed' } } },
        })
      }
      expect((await call('server', { action: 'status' })).value).toEqual({ running: false })
    },
  )

  it('needs a server for every other local tool', async () => {
    const { call } = await connectMcp()
    for (const [tool, args] of [
      ['clock', {}],
      ['form', { action: 'list' }],
      ['submit', { form: 'x' }],
      ['receiver', { action: 'list' }],
      ['fault', { action: 'list' }],
      ['deliveries', {}],
      ['requests', {}],
      ['wait', { for: 'request' }],
    ] as const) {
      expect(await call(tool, args), tool).toMatchObject({
        isError: true,
        value: { error: { code: 'no_server', hint: 'start one: tool server, {"action": "start"}' } },
      })
    }
  })

  it('DLV-08 replays, retries and cancels a delivery', async () => {
    const mcp = await connectMcp()
    const { call } = mcp
    const { form } = await startForm(mcp, [500, 500, 200, 500])
    await call('submit', { form })
    const { value: failed } = await call('wait', { for: 'delivery', match: { attempts: 1 } })
    await call('deliveries', { action: 'retry', delivery: failed.id })
    await call('wait', { for: 'delivery', match: { id: failed.id, attempts: 2 } })
    expect((await call('deliveries', { action: 'cancel', delivery: failed.id })).value).toMatchObject({
      status: 'failed',
    })
    const { value: replayed } = await call('deliveries', { action: 'replay', delivery: failed.id })
    expect(replayed.id).not.toBe(failed.id)
    expect(
      (await call('wait', { for: 'delivery', match: { id: replayed.id, status: 'delivered' } })).isError,
    ).toBe(false)
  })

  it('HOOK-07 pauses, resumes, tests and removes an endpoint, and HOOK-08 rotates its secret', async () => {
    const mcp = await connectMcp()
    const { call } = mcp
    const { form, webhook, value } = await startForm(mcp)
    expect((await call('form', { action: 'pause', form, webhook })).value).toMatchObject({ active: false })
    expect((await call('form', { action: 'resume', form, webhook })).value).toMatchObject({ active: true })
    expect((await call('form', { action: 'test', form, webhook })).value).toMatchObject({
      event: 'test.ping',
    })
    const { value: rotated } = await call('form', { action: 'rotate_secret', form, webhook })
    expect(rotated.secret).not.toBe(value.webhook.secret)
    expect((await call('form', { action: 'remove_webhook', form, webhook })).isError).toBe(false)
    expect((await call('form', { action: 'get', form })).value.webhooks).toEqual([])
  })

  it('closes, reopens, archives, trashes and restores a form', async () => {
    const mcp = await connectMcp()
    const { form } = await startForm(mcp)
    const statusAfter = async (action: string) => (await mcp.call('form', { action, form })).value.status
    expect(await statusAfter('close')).toBe('closed')
    expect(await statusAfter('reopen')).toBe('published')
    expect(await statusAfter('archive')).toBe('archived')
    expect(await statusAfter('trash')).toBe('trashed')
    expect(await statusAfter('restore')).toBe('archived')
  })

  it('submits given and generated answers and drafts, and deletes a response', async () => {
    const mcp = await connectMcp()
    const { call } = mcp
    const { form } = await startForm(mcp)
    await call('submit', { form, answers: [{ question_id: 'stars', value: 4 }] })
    expect((await call('submit', { form, count: 3 })).value.responses).toHaveLength(3)
    const { value: saved } = await call('submit', { action: 'save_draft', form })
    const [{ token }] = saved.responses
    expect((await call('submit', { action: 'submit_draft', form, token })).value).toMatchObject({
      status: 'submitted',
    })
    expect((await call('submit', { action: 'delete', form, response: 1 })).value).toEqual({
      id: 1,
      deleted: true,
    })
    expect(await call('submit', { form, answers: [{ question_id: 'star', value: 4 }] })).toMatchObject({
      isError: true,
      value: { error: { code: 'invalid_argument', hint: 'did you mean stars?' } },
    })
    expect((await call('form', { action: 'get', form })).value.form.response_count).toBe(4)
  })

  it('injects a fault into the next request, and removes faults', async () => {
    const { call } = await connectMcp()
    const { value } = await call('server', { action: 'start' })
    const status = async () =>
      (await fetch(`${value.url}/api/v1/me`, { headers: { authorization: `Bearer ${value.read_key}` } }))
        .status
    await call('fault', { action: 'inject', fault: { path: '/api/v1/me', status: 503, times: 1 } })
    expect([await status(), await status()]).toEqual([503, 200])
    const { value: fault } = await call('fault', { action: 'inject', fault: { status: 500 } })
    await call('fault', { action: 'remove', id: fault.id })
    await call('fault', { action: 'inject', fault: { status: 500 } })
    expect((await call('fault', { action: 'list' })).value.items).toMatchObject([
      { id: 3, status: 500, met: 0 },
    ])
    await call('fault', { action: 'clear' })
    expect(await status()).toBe(200)
    expect((await call('requests', { status: 503 })).value.items).toMatchObject([
      { status: 503, path: '/api/v1/me' },
    ])
  })

  it('describes the closest when a wait times out', async () => {
    const mcp = await connectMcp()
    await startForm(mcp)
    expect(await mcp.call('wait', { for: 'response', match: { id: 7 }, timeout_ms: 0 })).toMatchObject({
      isError: true,
      value: { error: { code: 'timeout', hint: 'the clock is manual: advance it with the tool clock' } },
    })
  })
})

const REFUSED: readonly (readonly [
  tool: string,
  args: object,
  argument: string | undefined,
  code: string,
])[] = [
  ['server', { action: 'begin' }, 'action', 'invalid_argument'],
  ['server', { action: 'stop', seed: 'demo' }, 'seed', 'invalid_argument'],
  ['server', { action: 'start', seed: '-' }, 'seed', 'invalid_argument'],
  ['server', { action: 'start', seed: '/nowhere/seed.json' }, undefined, 'usage'],
  ['server', { action: 'start', unspecified: { timestmaps: 'seconds' } }, undefined, 'invalid_option'],
  ['server', { action: 'start', now: 'yesterday' }, undefined, 'invalid_option'],
  ['server', { action: 'start', seed: fileURLToPath(import.meta.url) }, undefined, 'usage'],
  [
    'server',
    { action: 'start', seed: fileURLToPath(new URL('../../package.json', import.meta.url)) },
    undefined,
    'invalid_seed',
  ],
  ['clock', { advance: 'soon' }, 'advance', 'validation_failed'],
  ['form', { action: 'get', form: '../../reset' }, undefined, 'not_found'],
  ['form', { action: 'pause', form: 'x' }, 'webhook', 'invalid_argument'],
  ['form', { action: 'create', questions: [{ type: 'no_such_type' }] }, undefined, 'validation_failed'],
  ['form', { action: 'create', url: 'http://10.0.0.1/' }, undefined, 'validation_failed'],
  ['form', { action: 'create', url: 'https://hooks.example.com/' }, undefined, 'validation_failed'],
  ['submit', { form: 'x', count: 1000 }, 'count', 'invalid_argument'],
  ['submit', { form: 'none00000000' }, undefined, 'not_found'],
  ['receiver', { action: 'start', script: ['explode'] }, undefined, 'validation_failed'],
  ['receiver', { action: 'received', receiver: 99 }, undefined, 'not_found'],
  ['fault', { action: 'inject', fault: { staus: 500 } }, undefined, 'validation_failed'],
  ['deliveries', { cursor: 'dlv_none' }, 'cursor', 'invalid_argument'],
  ['deliveries', { action: 'show', delivery: '../forms' }, undefined, 'not_found'],
  [
    'wait',
    { for: 'request', match: { query: Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [n, n])) } },
    undefined,
    'validation_failed',
  ],
]

describe('the arguments of the local tools', () => {
  it('are refused by name when they are unknown, missing or invalid', async () => {
    const { call } = await connectMcp()
    const refusals: unknown[] = []
    // A server that cannot start is refused before one runs.
    for (const [tool, args] of REFUSED) {
      if (refusals.length === REFUSED.findIndex(([name]) => name !== 'server'))
        await call('server', { action: 'start' })
      const { isError, value } = await call(tool, args as Record<string, unknown>)
      refusals.push([tool, args, value.error?.details?.argument, isError ? value.error.code : 'accepted'])
    }
    expect(refusals).toEqual(REFUSED)
  })
})
