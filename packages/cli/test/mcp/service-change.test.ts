import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ElicitResult } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { changing, YES } from '../support/changing.ts'
import { type Json, startMcp } from '../support/mcp-in-process.ts'
import { NOON } from '../support/run-cli.ts'
import { eachService, PARTY, SURVEY } from '../support/service.ts'

const service = eachService({ limits: 'off' })

const { startAsking, writes, statusOf } = changing(service)

describe('the tool change, whose user is asked', () => {
  it('closes, reopens and renames a form when the user agrees', async () => {
    const { call, asked } = await startAsking()
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
    ['declines with a filled form', { action: 'decline', content: { confirm: true } }],
    ['accepts without content', { action: 'accept' }],
    ['accepts without confirming', { action: 'accept', content: { confirm: false } }],
    ['accepts with more than was asked', { action: 'accept', content: { confirm: true, all: true } }],
  ])('changes nothing when the user %s', async (_, reply) => {
    const { call, asked } = await startAsking(reply)
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
    const { call, asked, lines } = await startAsking()
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
      `Delete 2 responses of form "Customer survey" ("survey000001") of ${service.url}, with all answers and files: 1 ("submitted", "2026-11-21T09:00:00.000Z"), 2 ("submitted", "2026-11-21T11:30:00.000Z"). This cannot be undone. Do you want this?`,
    ])
    expect(writes()).toEqual([
      `DELETE /api/v1/forms/${SURVEY}/responses/1`,
      `DELETE /api/v1/forms/${SURVEY}/responses/2`,
    ])
    expect(lines.join('\n')).not.toMatch(/bo@example|Fast/)
  })

  it('refuses every change if the client cannot ask, without a request', async () => {
    const { call } = await startMcp(['--allow-write'], { env: service.env })
    const file = join(temporaryDirectory(), 'secret')
    const changes: [object, string][] = [
      [{ action: 'close', form: SURVEY }, `formwire forms close ${SURVEY}`],
      [{ action: 'rename', form: SURVEY, title: 'x' }, `formwire forms rename ${SURVEY} TITLE`],
      [{ action: 'delete_responses', form: SURVEY, ids: [2, 1] }, `formwire responses delete ${SURVEY} 1 2`],
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
    const tenMinutesLater = () => {
      now += 10 * 60_000
      return YES
    }
    const { call } = await startAsking(tenMinutesLater, { now: () => now })
    expect((await call('change', { action: 'close', form: SURVEY })).error.code).toBe('not_confirmed')
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

  /** Saves a draft, as a respondent does. Returns its token. */
  async function draftOf(name: string, token = '', method = 'POST', path = ''): Promise<string> {
    const body = JSON.stringify({ answers: [{ question_id: 'name', value: name }] })
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const url = `${service.url}/f/survey/drafts${token && `/${token}`}${path}`
    const saved = await service.server.fetch(url, { method, headers, body })
    return ((await saved.json()) as Json).data.token
  }

  /** What changes between what an agent or a user has seen and the deletion. */
  const CHANGES: [what: string, deletion: object, act: (draft: string) => unknown][] = [
    ['a draft that was saved again', { ...change, ids: [4] }, (draft) => draftOf('Di', draft, 'PUT')],
    [
      'a draft that was submitted',
      { ...change, ids: [4] },
      (draft) => draftOf('Cy', draft, 'POST', '/submit'),
    ],
    [
      'an endpoint that was resumed',
      { action: 'delete_endpoints', form: SURVEY, ids: [1] },
      () => service.server.app.webhooks.resume(SURVEY, 1),
    ],
  ]

  it.each(CHANGES)('is not valid for %s since the preview', async (_, deletion, act) => {
    const draft = await draftOf('Cy')
    const { call, asked } = await startAsking()
    const { token } = await call('change', { ...deletion })
    await act(draft)
    const { error } = await call('change', { ...deletion, token })
    expect(error).toMatchObject({ code: 'invalid_token', hint: 'preview again, without token' })
    expect(error.details).toEqual({ changed: (deletion as { ids: number[] }).ids })
    expect([asked, writes().filter((write) => write.startsWith('DELETE'))]).toEqual([[], []])
  })

  it.each(CHANGES)('does not delete %s while the user was asked', async (_, deletion, act) => {
    const draft = await draftOf('Cy')
    const { call } = await startAsking(async (question) => {
      expect(question).toMatch(/\((?:"in_progress"|"http.*", "paused")\)/)
      await act(draft)
      return YES
    })
    const { token } = await call('change', { ...deletion })
    expect((await call('change', { ...deletion, token })).error.code).toBe('invalid_token')
    expect(writes().filter((write) => write.startsWith('DELETE'))).toEqual([])
  })

  it('deletes the others when one is deleted while the user is asked', async () => {
    const { call } = await startAsking(() => {
      service.server.app.responses.delete(SURVEY, 1)
      return YES
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

  it.each(['GET', 'DELETE'])(
    'takes no 404 of a proxy for a deletion by somebody else: %s',
    async (method) => {
      const path = `/api/v1/forms/${SURVEY}/responses/1`
      const { call } = await startAsking(() => {
        service.server.app.faults.add({ path, method, status: 404, body: 'html' } as never)
        return YES
      })
      const { token } = await call('change', { ...change })
      const { error } = await call('change', { ...change, token })
      expect(error).toMatchObject({ code: 'unreachable', status: 404 })
      expect(error.details).toBeUndefined()
    },
  )

  it('is not given for what does not exist', async () => {
    const { call } = await startAsking()
    const missing = await call('change', { ...change, ids: [1, 99] })
    expect(missing.error.message).toBe(`response 99 of form ${SURVEY} not found`)
    const endpoint = await call('change', { action: 'delete_endpoints', form: SURVEY, ids: [1, 7, 8] })
    expect(endpoint.error.message).toBe(`webhook endpoint 7, 8 of form ${SURVEY} not found`)
  })
})
