import { setImmediate } from 'node:timers/promises'
import { sleepOf } from '@formwire/internal/clock'
import { describe, expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { ManualClock } from '../../../sdk/test/support/manual-clock.ts'
import { withinDeadline } from '../../src/mcp/deadline.ts'
import { YES } from '../support/changing.ts'
import { type Json, type McpOptions, startMcp } from '../support/mcp-in-process.ts'
import { until } from '../support/wait.ts'

const FORM = 'survey000001'

const form = {
  id: FORM,
  title: 'Survey',
  status: 'published',
  url: 'https://forms.example.com/f/survey',
  response_count: 150,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
}
const response = (id: number) => ({
  id,
  form_id: FORM,
  status: 'submitted',
  started_at: null,
  submitted_at: '2026-11-21T09:00:00.000Z',
  duration_sec: null,
  score: null,
  max_score: null,
  email: null,
  answers: [{ question_id: 'stars', title: 'Stars', type: 'rating', value: 4, text: '4' }],
  meta: {},
})
const firstPage = {
  data: Array.from({ length: 100 }, (_, at) => response(150 - at)),
  meta: { page: 1, per_page: 100, total: 150, total_pages: 2 },
}
const limited = { error: { code: 'rate_limited', message: 'Too many requests.' } }

/** Starts a client on a clock of its own, with a service that ends like this once it has sent its first page of responses. */
async function start(end: 'hangs' | 'is limited', isAtOnce: boolean, options: McpOptions = {}) {
  const clock = new ManualClock()
  let held = 0
  const url = await serve(({ url: path = '' }, reply) => {
    const isList = /\/responses\?.*page/.test(path) && !/[?&]page=2/.test(path)
    if (!isAtOnce && isList) return reply.end(JSON.stringify(firstPage))
    if (!isAtOnce && /\/webhooks/.test(path)) return reply.end('{"data":[]}')
    if (!isAtOnce && !/\/responses/.test(path)) return reply.end(JSON.stringify({ data: form }))
    held += 1
    if (end === 'is limited') reply.writeHead(429, { 'retry-after': '60' }).end(JSON.stringify(limited))
    return reply
  })
  const env = { FORMWIRE_BASE_URL: url, FORMWIRE_API_KEY: 'svc_test' }
  const mcp = await startMcp(['--allow-write'], { env, clock, ...options })
  const startedAt = clock.now()
  return {
    clock,
    call: mcp.call,
    /** Returns the result of a call, and how many seconds it took. */
    async run(tool: string, args: Record<string, unknown>): Promise<{ result: Json; seconds: number }> {
      const call = mcp.call(tool, args)
      await until('the request', () => held > 0)
      const result = await clock.runUntil(call)
      return { result, seconds: (clock.now() - startedAt) / 1000 }
    },
  }
}

const WHOLE: [tool: string, args: Record<string, unknown>][] = [
  ['forms', {}],
  ['forms', { form: FORM }],
  ['responses', { form: FORM }],
  ['responses', { form: FORM, response: 1 }],
  ['types', { forms: [FORM] }],
  ['change', { action: 'delete_responses', form: FORM, ids: [1] }],
]
const ask = { onAsk: () => YES }

describe.each(WHOLE)('the tool %s with %o', (tool, args) => {
  it('fails within 25 s if the service never responds', async () => {
    const { result, seconds } = await (await start('hangs', true, ask)).run(tool, args)
    expect(result.error).toMatchObject({ code: 'unreachable', retry_after_s: 60 })
    expect(seconds).toBe(22)
  })

  it('[ERR-05] fails at once if the service asks for a longer wait, and says how long', async () => {
    const { result, seconds } = await (await start('is limited', true, ask)).run(tool, args)
    expect(result.error).toMatchObject({ code: 'rate_limited', status: 429, retry_after_s: 60 })
    expect(seconds).toBe(0)
  })
})

const PARTIAL: [tool: string, args: Record<string, unknown>, known: object][] = [
  [
    'forms',
    { form: FORM },
    { form: { id: FORM }, responses_read: 100, is_sample: true, questions: [{ id: 'stars', answered: 100 }] },
  ],
  ['responses', { form: FORM, limit: 100 }, { total: 150, next_cursor: null }],
  ['types', { forms: [FORM] }, { forms: [{ id: FORM, responses: 100, questions: 1 }] }],
]

describe.each(PARTIAL)('the tool %s', (tool, args, known) => {
  it.each([
    ['hangs', 'unreachable', 22],
    ['is limited', 'rate_limited', 0],
  ] as const)('returns what it has read so far when the service %s', async (end, code, after) => {
    const { result, seconds } = await (await start(end, false)).run(tool, args)
    expect(result).toMatchObject({ ...known, incomplete: { code, retry_after_s: 60 } })
    expect(seconds).toBe(after)
  })
})

describe('the deadline of a tool', () => {
  it('aborts its signal after 23 s, and ends the call after 25 s', async () => {
    const clock = new ManualClock(0)
    const aborted: number[] = []
    const call = withinDeadline(
      { now: () => clock.now(), sleep: sleepOf(clock) },
      new AbortController().signal,
      (signal) => {
        signal.addEventListener('abort', () => aborted.push(clock.now()))
        return new Promise(() => undefined)
      },
    )
    await expect(clock.runUntil(call)).rejects.toMatchObject({ code: 'timeout', timeoutMs: 25_000 })
    expect([aborted, clock.now()]).toEqual([[23_000], 25_000])
  })

  it('does not include the time in which the user is asked', async () => {
    const service = await start('hangs', false, {
      async onAsk() {
        await service.clock.advance(5 * 60_000)
        return { action: 'decline' }
      },
    })
    const result = await service.call('change', { action: 'close', form: FORM })
    expect(result.error.code).toBe('not_confirmed')
  })

  it('ends a clock that receivers hold up, with what has happened so far', async () => {
    const clock = new ManualClock()
    const { call } = await startMcp([], { clock })
    await call('server', { action: 'start', now: '2026-11-21T12:00:00Z' })
    const { id: receiver } = await call('receiver', { action: 'start', script: ['500', 'timeout'] })
    const created = await call('form', { action: 'create', receiver })
    await call('submit', { form: created.form.id })
    await call('clock', { advance: '0s' })
    const advanced = call('clock', { advance: '1h' })
    let calls = 0
    while (calls < 2) {
      await setImmediate()
      calls = (await call('receiver', { action: 'received', receiver })).items.length
    }
    await clock.advance(23_000)
    expect(await advanced).toMatchObject({
      mode: 'manual',
      now: '2026-11-21T12:01:00.000Z',
      incomplete: { code: 'timeout' },
    })
  })
})
