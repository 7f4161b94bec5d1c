import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { createEndpoint, readChange } from '../../src/mcp/tools/change.ts'
import { changing, YES } from '../support/changing.ts'
import { eachService, PARTY, SURVEY } from '../support/service.ts'

const service = eachService({ limits: 'off' })

const { startAsking, writes, statusOf } = changing(service)

describe('a reply of the client', () => {
  it('confirms only the change that was asked about, once', async () => {
    const { client } = await startAsking(YES, { era: '2026' })
    const ask = async (args: object, more: object): Promise<Record<string, unknown>> =>
      (await client.request(
        { method: 'tools/call', params: { name: 'change', arguments: args, ...more } as never },
        { allowInputRequired: true },
      )) as Record<string, unknown>
    const reply = { inputResponses: { change: YES }, requestState: 'token-1' }
    const made = await ask({ action: 'close', form: SURVEY }, reply)
    const question = await ask({ action: 'close', form: SURVEY }, {})
    expect(question).toMatchObject({ resultType: 'input_required', requestState: 'token-1' })
    const other = await ask({ action: 'rename', form: SURVEY, title: 'Mine' }, reply)
    const again = await ask({ action: 'close', form: SURVEY }, reply)
    for (const result of [made, other, again]) expect(JSON.stringify(result)).toContain('not_confirmed')
    expect(writes()).toEqual([])
  })
})

describe('endpoints through the tool change', () => {
  const url = 'http://127.0.0.1:8080/hook'

  it('[HOOK-02] are created with their secret in a new file that only its owner can read', async () => {
    const mcp = await startAsking()
    const file = join(temporaryDirectory(), 'webhook-secret')
    const result = await mcp.call('change', {
      action: 'create_endpoint',
      form: SURVEY,
      url,
      secret_file: file,
    })
    expect(result).toEqual({
      changed: true,
      endpoint: { id: 2, url, active: true, created_at: '2026-11-21T12:00:00.000Z' },
      secret_file: file,
    })
    expect(mcp.asked).toEqual([
      `Send every response to form "Customer survey" ("survey000001") of ${service.url} that is submitted from now on to "${url}", and write the secret of the endpoint to the new file "${file}". Do you want this?`,
    ])
    const secret = readFileSync(file, 'utf8')
    expect(secret).toMatch(/^whsec_\w{20,}$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(mcp.lines.join('\n') + mcp.stderr()).not.toContain(secret.slice(6))
  })

  it('are not created if the file of the secret exists, or is a link', async () => {
    const { call } = await startAsking()
    const folder = temporaryDirectory()
    writeFileSync(join(folder, 'kept'), 'mine')
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'))
    for (const name of ['kept', 'link']) {
      const secret_file = join(folder, name)
      const { error } = await call('change', { action: 'create_endpoint', form: SURVEY, url, secret_file })
      expect(error).toEqual({
        code: 'usage',
        message: `cannot write ${secret_file}: it already exists`,
        hint: 'nothing was created; give another secret_file',
      })
    }
    expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe('mine')
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false)
    expect(writes()).toEqual([])
  })

  it('leave no file if the service refuses them', async () => {
    const { call } = await startAsking()
    const secret_file = join(temporaryDirectory(), 'secret')
    const refused = { action: 'create_endpoint', form: SURVEY, url: 'http://user:pw@127.0.0.1/', secret_file }
    const { error } = await call('change', refused)
    expect([error.code, error.details]).toEqual(['validation_failed', { field: 'url' }])
    expect(existsSync(secret_file)).toBe(false)
  })

  it('are reported with what to do if their secret cannot be saved', async () => {
    const { call, lines } = await startAsking()
    const secret_file = join(temporaryDirectory(), 'secret')
    const handle = await open(join(temporaryDirectory(), 'other'), 'w')
    const full = vi.spyOn(Object.getPrototypeOf(handle), 'writeFile')
    full.mockRejectedValueOnce(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }))
    onTestFinished(() => full.mockRestore())
    await handle.close()
    const { error } = await call('change', { action: 'create_endpoint', form: SURVEY, url, secret_file })
    expect(error).toEqual({
      code: 'secret_not_saved',
      message: 'created webhook endpoint 2, but could not save its secret',
      hint: 'rotate its secret in the app, which shows the new one',
    })
    expect(existsSync(secret_file)).toBe(false)
    expect(lines.join('\n')).not.toContain('whsec_')
  })

  it('are not created, nor the file of their secret, once the call is cancelled', async () => {
    const create = vi.fn()
    const secret_file = join(temporaryDirectory(), 'secret')
    const service = { client: { webhooks: { create } }, options: { signal: AbortSignal.abort() } }
    const change = readChange({ action: 'create_endpoint', form: SURVEY, url, secret_file })
    await expect(createEndpoint(service as never, change, {} as never)).rejects.toThrow('aborted')
    expect([create.mock.calls, existsSync(secret_file)]).toEqual([[], false])
  })

  it('are asked about as the service reads their URL', async () => {
    const { call, asked } = await startAsking({ action: 'decline' })
    const disguised = 'https://hooks.exаmple.com\\@evil.example/'
    const secret_file = join(temporaryDirectory(), 'secret')
    await call('change', { action: 'create_endpoint', form: SURVEY, url: disguised, secret_file })
    expect(asked[0]).toContain('"https://hooks.xn--exmple-4nf.com/@evil.example/"')
  })

  it('[HOOK-03] are deleted after a preview', async () => {
    const { call, asked } = await startAsking()
    const change = { action: 'delete_endpoints', form: SURVEY, ids: [1] }
    const { deletes, token } = await call('change', change)
    expect(deletes).toEqual([
      { id: 1, url: 'http://127.0.0.1:9/hook', active: false, created_at: '2026-11-21T08:30:00.000Z' },
    ])
    expect(await call('change', { ...change, token })).toEqual({ changed: true, deleted: [1], missing: [] })
    expect(asked).toEqual([
      `Delete 1 webhook endpoint of form "Customer survey" ("survey000001") of ${service.url}, with delivery logs and pending deliveries: 1 ("http://127.0.0.1:9/hook", "paused"). This cannot be undone. Do you want this?`,
    ])
    expect(service.server.app.webhooks.list(SURVEY)).toEqual([])
  })
})

describe('the tool change', () => {
  it('changes nothing that is so already', async () => {
    const { call, asked } = await startAsking()
    expect((await call('change', { action: 'close', form: PARTY })).changed).toBe(false)
    expect((await call('change', { action: 'reopen', form: SURVEY })).changed).toBe(false)
    expect([asked, writes()]).toEqual([[], []])
  })

  it('[AUTH-03] fails with a read-only key', async () => {
    const { call } = await startAsking(YES, {
      env: { ...service.env, FORMWIRE_API_KEY: `svc_${'r'.repeat(40)}` },
    })
    const { error } = await call('change', { action: 'close', form: SURVEY })
    expect([error.code, error.status]).toEqual(['forbidden', 403])
    expect(statusOf(SURVEY)).toBe('published')
  })

  it('shows where a title ends, and what cannot be seen in it', async () => {
    service.server.app.forms.update(SURVEY, { title: 'A"). Yes, please. (\u202eevil' })
    const { call, asked } = await startAsking({ action: 'decline' })
    await call('change', { action: 'close', form: SURVEY })
    expect(asked[0]).toContain('form "A\\"). Yes, please. (\\u202eevil" ("survey000001")')
  })

  it('requires the arguments of its action, and takes no others', async () => {
    const { call } = await startAsking()
    for (const [change, message] of [
      [{ action: 'rename' }, 'title: rename requires it'],
      [{ action: 'close', token: 'x' }, 'token: only delete_responses, delete_endpoints take it, not close'],
      [{ action: 'create_endpoint', url: 'x' }, 'secret_file: create_endpoint requires it'],
      [
        { action: 'create_endpoint', url: 'file:///x', secret_file: 'x' },
        'url: it must be an http or https URL',
      ],
    ] as const) {
      const { error } = await call('change', { form: SURVEY, ...change })
      expect([error.code, error.message]).toEqual(['invalid_argument', message])
    }
    expect(service.server.app.requests.list()).toEqual([])
  })
})
