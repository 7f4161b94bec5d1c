import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { applyChange, readChange } from '../../src/mcp/service/change.ts'
import { startMcp } from '../support/mcp-in-process.ts'

describe('a call that the client cancels', () => {
  it('submits no further responses', async () => {
    const { call } = await startMcp([])
    await call('server', { action: 'start' })
    const { form } = await call('form', { action: 'create' })
    const submitted = async (): Promise<number> =>
      (await call('form', { action: 'get', form: form.id })).form.response_count
    const controller = new AbortController()
    const cancelled = expect(
      call('submit', { form: form.id, count: 200 }, controller.signal),
    ).rejects.toThrow()
    while ((await submitted()) === 0) await setImmediate()
    controller.abort()
    await cancelled
    const count = await submitted()
    expect(count).toBeLessThan(200)
    for (let turn = 0; turn < 100; turn += 1) await setImmediate()
    expect(await submitted()).toBe(count)
  })
})

describe('a confirmed change whose call was cancelled meanwhile', () => {
  it('creates neither the endpoint nor the file of its secret', async () => {
    const create = vi.fn(async () => ({ id: 1, secret: 'whsec_test' }))
    const secretFile = join(temporaryDirectory(), 'secret')
    const service = { client: { webhooks: { create } }, options: { signal: AbortSignal.abort() } }
    const given = { action: 'create_endpoint', form: 'x', url: 'http://127.0.0.1/' } as const
    const change = readChange({ ...given, secret_file: secretFile })
    const session = { context: { hide() {} } }
    await expect(applyChange(session as never, service as never, change)).rejects.toThrow('aborted')
    expect(create).not.toHaveBeenCalled()
    expect(existsSync(secretFile)).toBe(false)
  })
})

describe('responses of which one fails', () => {
  it('are named in the error, since those before it were submitted', async () => {
    const { call } = await startMcp([])
    const { url, admin_token } = await call('server', { action: 'start' })
    const { form } = await call('form', { action: 'create' })
    const headers = { authorization: `Bearer ${admin_token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ response_limit: 2 })
    await fetch(`${url}/_app/forms/${form.id}`, { method: 'PATCH', headers, body })
    const { error } = await call('submit', { form: form.id, count: 5 })
    expect(error).toMatchObject({
      code: 'form_closed',
      message: expect.stringContaining('after 2 of 5 responses'),
      details: { responses: [{ id: 1, status: 'submitted' }, { id: 2 }] },
    })
    expect((await call('form', { action: 'get', form: form.id })).form.response_count).toBe(2)
  })
})
