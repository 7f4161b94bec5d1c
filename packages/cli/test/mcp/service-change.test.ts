import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElicitResult } from '@modelcontextprotocol/client'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { type McpOptions, startMcp } from '../support/mcp-in-process.ts'
import { NOON } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from '../support/service.ts'

let service: Service
beforeEach(async () => {
  service = await startService({ limits: 'off' })
  const { server } = service
  onTestFinished(() => server.close())
})

const YES: ElicitResult = { action: 'accept', content: { confirm: true } }

/** Starts a client whose user gives this reply, and keeps what the user was asked. */
async function startAsking(reply: ElicitResult = YES, options: McpOptions = {}) {
  const asked: string[] = []
  const mcp = await startMcp(['--allow-write'], {
    env: service.env,
    onAsk({ message }) {
      asked.push(message)
      return reply
    },
    ...options,
  })
  return { ...mcp, asked }
}

/** The requests that the service has received, apart from those that read. */
const writes = (): string[] =>
  service.server.app.requests
    .list()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`)
    .reverse()

const statusOf = (form: string): string => service.server.app.forms.get(form).status

describe.each(['2025', '2026'] as const)('the tool change, asked by a client of %s', (era) => {
  it('closes, reopens and renames a form when the user agrees', async () => {
    const { call, asked } = await startAsking(YES, { era })
    expect(await call('change', { action: 'close', form: SURVEY })).toMatchObject({
      changed: true,
      form: { id: SURVEY, status: 'closed' },
    })
    expect(statusOf(SURVEY)).toBe('closed')
    await call('change', { action: 'reopen', form: SURVEY })
    expect(statusOf(SURVEY)).toBe('published')
    await call('change', { action: 'rename', form: SURVEY, title: 'Renamed' })
    expect(service.server.app.forms.get(SURVEY).title).toBe('Renamed')
    const name = `form "Customer survey" ("survey000001") of ${service.url}`
    expect(asked).toEqual([
      `Close ${name}. Its public link stops accepting responses. Do you want this?`,
      `Reopen ${name}. Its public link accepts responses again. Do you want this?`,
      `Rename ${name} to "Renamed". Do you want this?`,
    ])
  })

  it.each<[string, ElicitResult]>([
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
    ['declines with a filled form', { action: 'decline', content: { confirm: true } }],
    ['accepts without content', { action: 'accept' }],
    ['accepts with an empty form', { action: 'accept', content: {} }],
    ['accepts without confirming', { action: 'accept', content: { confirm: false } }],
    ['accepts with a text', { action: 'accept', content: { confirm: 'true' } }],
    ['accepts with more than was asked', { action: 'accept', content: { confirm: true, all: true } }],
  ])('changes nothing when the user %s', async (_, reply) => {
    const { call, asked } = await startAsking(reply, { era })
    const { token } = await call('change', { action: 'delete_responses', form: SURVEY, ids: [1] })
    for (const change of [
      { action: 'close', form: SURVEY },
      { action: 'delete_responses', form: SURVEY, ids: [1], token },
    ]) {
      expect((await call('change', change)).error).toEqual({
        code: 'not_confirmed',
        message: 'the user did not confirm the change; nothing was changed',
        hint: 'ask them before you try again',
      })
    }
    expect(asked).toHaveLength(2)
    expect(writes()).toEqual([])
    // The token of a question that was declined is used up.
    const { error } = await call('change', { action: 'delete_responses', form: SURVEY, ids: [1], token })
    expect(error.code).toBe('invalid_token')
  })

  it('[RESP-04] deletes responses after a preview, with its token', async () => {
    const { call, asked, lines } = await startAsking(YES, { era })
    const change = { action: 'delete_responses', form: SURVEY, ids: [2, 1, 2] }
    const preview = await call('change', change)
    expect(preview).toEqual({
      form: {
        id: SURVEY,
        title: { untrusted: 'Customer survey' },
        status: 'published',
        response_count: 2,
        updated_at: '2026-11-21T10:00:00.000Z',
      },
      deletes: [
        { id: 1, status: 'submitted', submitted_at: '2026-11-21T09:00:00.000Z', answers: 2 },
        { id: 2, status: 'submitted', submitted_at: '2026-11-21T11:30:00.000Z', answers: 2 },
      ],
      token: 'token-1',
      note: 'nothing was deleted; the token is valid once',
    })
    expect([asked, writes()]).toEqual([[], []])
    expect(await call('change', { ...change, token: preview.token })).toEqual({
      changed: true,
      deleted: [1, 2],
      missing: [],
    })
    expect(asked).toEqual([
      `Delete 2 responses of form "Customer survey" ("survey000001") of ${service.url}, with all answers and files: 1 ("2026-11-21T09:00:00.000Z"), 2 ("2026-11-21T11:30:00.000Z"). This cannot be undone. Do you want this?`,
    ])
    expect(writes()).toEqual([
      `DELETE /api/v1/forms/${SURVEY}/responses/1`,
      `DELETE /api/v1/forms/${SURVEY}/responses/2`,
    ])
    expect(lines.join('\n')).not.toMatch(/bo@example|Fast/)
  })

  it('changes nothing when the user agrees after the client has cancelled the call', async () => {
    const cancelled = new AbortController()
    const { call } = await startMcp(['--allow-write'], {
      env: service.env,
      era,
      async onAsk() {
        cancelled.abort()
        await new Promise((resolve) => setImmediate(resolve))
        return YES
      },
    })
    await expect(call('change', { action: 'close', form: SURVEY }, cancelled.signal)).rejects.toThrow()
    // A later call: by now, the reply has arrived.
    expect((await call('forms', { form: SURVEY })).form.status).toBe('published')
    expect(writes()).toEqual([])
  })

  it('refuses every change if the client cannot ask, without a request', async () => {
    const { call } = await startMcp(['--allow-write'], { env: service.env, era })
    const file = join(temporaryDirectory(), 'secret')
    const changes: [object, string][] = [
      [{ action: 'close', form: SURVEY }, `formwire forms close ${SURVEY}`],
      [{ action: 'reopen', form: PARTY }, `formwire forms reopen ${PARTY}`],
      [{ action: 'rename', form: SURVEY, title: 'x' }, `formwire forms rename ${SURVEY} TITLE`],
      [{ action: 'delete_responses', form: SURVEY, ids: [2, 1] }, `formwire responses delete ${SURVEY} 1 2`],
      [
        { action: 'delete_responses', form: SURVEY, ids: [1], token: 'token-1' },
        `formwire responses delete ${SURVEY} 1`,
      ],
      [{ action: 'delete_endpoints', form: SURVEY, ids: [1] }, `formwire webhooks delete ${SURVEY} 1`],
      [
        { action: 'create_endpoint', form: SURVEY, url: 'http://127.0.0.1:8080/', secret_file: file },
        `formwire webhooks create ${SURVEY} URL`,
      ],
    ]
    for (const [change, command] of [
      ...changes,
      [{ action: 'close', form: "x'; rm -rf ~ #" }, "formwire forms close 'x'\\''; rm -rf ~ #'"] as const,
    ]) {
      expect((await call('change', change as Record<string, unknown>)).error).toEqual({
        code: 'cannot_ask',
        message: 'this client cannot ask its user, and every change needs their confirmation',
        hint: `the client has no elicitation; the user can run: ${command}`,
      })
    }
    expect(service.server.app.requests.list()).toEqual([])
    expect(existsSync(file)).toBe(false)
  })
})

describe('a token of a preview', () => {
  const change = { action: 'delete_responses', form: SURVEY, ids: [1] }

  it.each<[string, object]>([
    ['other ids', { ids: [2] }],
    ['more ids', { ids: [1, 2] }],
    ['another action', { action: 'delete_endpoints' }],
    ['another form', { form: PARTY }],
  ])('is not valid for %s, and then for nothing', async (_, other) => {
    const { call, asked } = await startAsking()
    const { token } = await call('change', change)
    for (const attempt of [
      { ...change, ...other, token },
      { ...change, token },
    ]) {
      expect((await call('change', attempt)).error).toEqual({
        code: 'invalid_token',
        message: 'the token is not one of a preview of this deletion; nothing was deleted',
        hint: 'a token is valid once, for ten minutes and the same action, form and ids: preview again, without token',
      })
    }
    expect([asked, writes()]).toEqual([[], []])
  })

  it('is valid once, and for ten minutes', async () => {
    let now = NOON
    const { call, asked } = await startAsking(YES, { now: () => now })
    const late = await call('change', change)
    now += 10 * 60_000
    expect((await call('change', { ...change, token: late.token })).error.code).toBe('invalid_token')
    const { token } = await call('change', change)
    now += 10 * 60_000 - 1
    expect((await call('change', { ...change, token })).deleted).toEqual([1])
    expect((await call('change', { ...change, token })).error.code).toBe('invalid_token')
    for (const guess of ['token-1', 'token-99', '__proto__', 'true'])
      expect((await call('change', { ...change, token: guess })).error.code).toBe('invalid_token')
    expect(asked).toHaveLength(1)
  })

  it('does not confirm a question whose time is over', async () => {
    let now = NOON
    const mcp = await startMcp(['--allow-write'], {
      env: service.env,
      now: () => now,
      onAsk() {
        now += 10 * 60_000
        return YES
      },
    })
    expect((await mcp.call('change', { action: 'close', form: SURVEY })).error.code).toBe('not_confirmed')
    expect(writes()).toEqual([])
  })

  it('asks about nothing that was deleted since', async () => {
    const { call, asked } = await startAsking()
    const both = { ...change, ids: [1, 2] }
    const { token } = await call('change', both)
    service.server.app.responses.delete(SURVEY, 1)
    const { error } = await call('change', { ...both, token })
    expect(error.message).toBe(`response 1 of form ${SURVEY} not found`)
    expect([asked, writes()]).toEqual([[], []])
  })

  it('deletes the others when one is deleted while the user is asked', async () => {
    const { call } = await startMcp(['--allow-write'], {
      env: service.env,
      onAsk() {
        service.server.app.responses.delete(SURVEY, 1)
        return YES
      },
    })
    const both = { ...change, ids: [1, 2] }
    const { token } = await call('change', both)
    expect(await call('change', { ...both, token })).toEqual({ changed: true, deleted: [2], missing: [1] })
  })

  it('reports what was deleted before a failure', async () => {
    const { call } = await startAsking()
    const both = { ...change, ids: [1, 2] }
    const { token } = await call('change', both)
    const path = `/api/v1/forms/${SURVEY}/responses/2`
    service.server.app.faults.add({ path, method: 'DELETE', times: 5, status: 500 } as never)
    expect((await call('change', { ...both, token })).error).toEqual({
      code: 'incomplete',
      message: 'deleted 1 of 2 items before it failed',
      hint: 'preview the others again',
      details: { deleted: [1], missing: [] },
    })
    expect(service.server.app.responses.list(SURVEY).total).toBe(1)
  })

  it('is not given for what does not exist', async () => {
    const { call } = await startAsking()
    const missing = await call('change', { ...change, ids: [1, 99] })
    expect(missing.error.message).toBe(`response 99 of form ${SURVEY} not found`)
    const endpoint = await call('change', { action: 'delete_endpoints', form: SURVEY, ids: [1, 7, 8] })
    expect(endpoint.error.message).toBe(`webhook endpoint 7, 8 of form ${SURVEY} not found`)
  })
})

describe('a reply of the client', () => {
  it('confirms nothing that was not asked', async () => {
    const { client } = await startAsking(YES, { era: '2026' })
    const result = await client.request({
      method: 'tools/call',
      params: {
        name: 'change',
        arguments: { action: 'close', form: SURVEY },
        inputResponses: { change: YES },
        requestState: 'token-1',
      },
    })
    expect(JSON.stringify(result)).toContain('not_confirmed')
    expect(writes()).toEqual([])
  })

  it('confirms only the change that was asked about, once', async () => {
    const { client } = await startAsking(YES, { era: '2026' })
    const ask = async (args: object, more: object): Promise<Record<string, unknown>> =>
      (await client.request(
        { method: 'tools/call', params: { name: 'change', arguments: args, ...more } as never },
        { allowInputRequired: true },
      )) as Record<string, unknown>
    const question = await ask({ action: 'close', form: SURVEY }, {})
    expect(question).toMatchObject({ resultType: 'input_required', requestState: 'token-1' })
    const reply = { inputResponses: { change: YES }, requestState: question.requestState }
    const other = await ask({ action: 'rename', form: SURVEY, title: 'Mine' }, reply)
    const again = await ask({ action: 'close', form: SURVEY }, reply)
    for (const result of [other, again]) expect(JSON.stringify(result)).toContain('not_confirmed')
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
      `Delete 1 webhook endpoint of form "Customer survey" ("survey000001") of ${service.url}, with delivery logs and pending deliveries: 1 ("http://127.0.0.1:9/hook"). This cannot be undone. Do you want this?`,
    ])
    expect(service.server.app.webhooks.list(SURVEY)).toEqual([])
  })
})

describe('the tool change', () => {
  it('does not exist without --allow-write', async () => {
    const { client, call } = await startMcp([], { env: service.env, onAsk: () => YES })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('change')
    await expect(call('change', { action: 'close', form: SURVEY })).rejects.toThrow('change')
    expect(service.server.app.requests.list()).toEqual([])
  })

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
    const ids = [1]
    for (const [change, message] of [
      [{ action: 'rename' }, 'title: rename requires it'],
      [{ action: 'close', title: 'x' }, 'title: close does not take it'],
      [{ action: 'close', token: 'x' }, 'token: close does not take it'],
      [{ action: 'delete_responses' }, 'ids: delete_responses requires it'],
      [{ action: 'delete_responses', ids, url: 'x' }, 'url: delete_responses does not take it'],
      [{ action: 'create_endpoint', url: 'x' }, 'secret_file: create_endpoint requires it'],
      [
        { action: 'create_endpoint', url: 'file:///x', secret_file: 'x' },
        'url: it must be an http or https URL',
      ],
      [{ action: 'create_endpoint', ids, url: 'x' }, 'ids: create_endpoint does not take it'],
    ] as const) {
      const { error } = await call('change', { form: SURVEY, ...change })
      expect([error.code, error.message]).toEqual(['invalid_argument', message])
    }
    expect(service.server.app.requests.list()).toEqual([])
  })
})
