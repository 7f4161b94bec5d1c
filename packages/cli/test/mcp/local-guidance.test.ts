import { describe, expect, it } from 'vitest'
import { type Json, startForms, startMcp, type ToolCall } from '../support/mcp-in-process.ts'

const invalid = (message: Json, hint?: string): Json => ({
  error: { code: 'invalid_argument', message, hint },
})

describe('the errors of the local tools', () => {
  it('name what does not exist, and the ids that do', async () => {
    const { call, expectAll, forms } = await startForms([])
    const [form = ''] = forms
    const [delivery] = (await call('submit', { form })).responses[0].deliveries
    const { id: fault } = await call('fault', { action: 'inject', fault: { status: 500 } })
    const local = (nouns: string, ids: string | number) => `${nouns} of the local server: ${ids}`
    const missing = (name: string, hint: string): Json => ({
      code: 'not_found',
      message: `${name} not found`,
      hint,
      status: 404,
    })
    const noDelivery = missing('delivery dlv_nope', local('deliveries', delivery))
    const noForm = missing('form nope', local('forms', form))
    const noEndpoint = missing(`webhook endpoint 77 of form ${form}`, 'webhook endpoints of the form: 1')
    const refusals: ToolCall[] = [
      ['form', { action: 'get', form: 'nope' }, noForm],
      ['form', { action: 'rotate_secret', form, webhook: 77 }, noEndpoint],
      ['submit', { form: 'a/b' }, missing('form a/b', local('forms', form))],
      [
        'submit',
        { action: 'delete', form, response: 99 },
        missing(`response 99 of form ${form}`, 'responses of the form: 1'),
      ],
      ['deliveries', { action: 'show', delivery: 'dlv_nope' }, noDelivery],
      ['deliveries', { form: 'nope' }, noForm],
      ['deliveries', { webhook: 77 }, missing('webhook endpoint 77', local('webhook endpoints', 1))],
      ['explain', { delivery: 'dlv_nope' }, noDelivery],
      ['receiver', { action: 'stop', receiver: 9 }, missing('receiver 9', local('receivers', 1))],
      ['fault', { action: 'remove', id: 55 }, missing('fault 55', local('faults', fault))],
    ]
    for (const [tool, args, error] of refusals)
      expect((await call(tool, args)).error, `${tool} ${JSON.stringify(args)}`).toEqual(error)
    await call('form', { action: 'remove_webhook', form, webhook: 1 })
    const none = { error: { hint: 'the form has no webhook endpoints' } }
    await expectAll([['form', { action: 'pause', form, webhook: 1 }, none]])
    for (let made = 0; made < 24; made += 1) await call('form', { action: 'create' })
    expect((await call('submit', { form: 'nope' })).error.hint).toMatch(/: (\w{12}, ){20}and 5 more$/)
  })

  it('refuse an argument that the action does not take', async () => {
    const { call, expectAll, forms } = await startForms([])
    const [form] = forms
    const [{ token }] = (await call('submit', { action: 'save_draft', form })).responses
    const only = (name: string, of: string, given: string, hint: string) =>
      invalid(`${name}: only ${of} it, not ${given}`, hint)
    await expectAll([
      [
        'submit',
        { form, token },
        only('token', 'submit_draft takes', 'submit', 'did you mean action submit_draft?'),
      ],
      [
        'deliveries',
        { delivery: 'dlv_nope' },
        only('delivery', 'show, replay, retry, cancel take', 'list', 'leave it out, or use action show'),
      ],
    ])
  })

  it.each<[tool: string, args: object, message: Json, hint?: string]>([
    ['form', { frm: 'x' }, 'frm: form has no such argument', 'did you mean form?'],
    ['submit', {}, 'form is required: a string of 1 to 100 characters, form id'],
    [
      'fault',
      { action: 'injects' },
      'action must be one of inject, list, remove, clear, got "injects"',
      'did you mean inject?',
    ],
    [
      'submit',
      { form: 'x', count: 1000 },
      'count must be an integer from 1 to 200 (how many, default 1), got 1000',
    ],
    [
      'fault',
      { action: 'remove', id: 'one' },
      'id must be an integer of at least 1 (of the fault to remove), got a string of 3 characters',
    ],
    [
      'fault',
      { action: 'inject', fault: 500 },
      expect.stringMatching(/^fault must be an object \(.+\), got 500$/),
    ],
    [
      'submit',
      { form: 'x', answers: [{ question: 'stars', value: 4 }] },
      'answers.0.question: answers.0 has no such member',
      'did you mean question_id?',
    ],
  ])('name an unknown argument, and what one has to be: %s %j', async (tool, args, message, hint) => {
    const { error } = await (await startMcp([])).call(tool, { ...args })
    expect([error.code, error.message, error.hint]).toEqual(['invalid_argument', message, hint])
  })

  it('say how the clock is advanced', async () => {
    const { expectAll } = await startForms()
    await expectAll(
      ['60', '1 minute', 'PT1M'].map((advance) => {
        const message = expect.stringContaining(`Cannot read "${advance}" as a duration`)
        const hint = 'advance takes a number with a unit, such as 30s, 2h or 1h30m'
        const details = { argument: 'advance' }
        return ['clock', { advance }, { error: { code: 'validation_failed', message, hint, details } }]
      }),
    )
  })

  it('name tools instead of commands, also for a clock that is real', async () => {
    const { call } = await startMcp([])
    await call('server', { action: 'start', clock: 'real' })
    const { message } = (await call('clock', { advance: '1m' })).error
    expect(message).toContain('{"action": "start", "clock": "manual"}')
    expect(message).not.toContain('--clock')
  })

  it('ask for a server, without which nothing but check_receiver works', async () => {
    const { expectAll } = await startMcp([])
    const error = {
      code: 'no_server',
      hint: 'start one: tool server, {"action": "start"}; no tool reads the deliveries of a configured service, which its API does not give out: its app shows them, or formwire deliveries list FORM WEBHOOK for a reference server',
    }
    const calls = { form: { action: 'list' }, submit: { form: 'x' }, wait: { for: 'request' } }
    const lists = { receiver: { action: 'list' }, fault: { action: 'list' } }
    await expectAll(
      Object.entries({ ...calls, ...lists, clock: {}, deliveries: {}, requests: {} }).map(
        ([tool, args]) => [tool, args, { error }] as const,
      ),
    )
  })

  it('refuse a member to wait for that nothing has', async () => {
    const { expectAll } = await startForms()
    const wait = (subject: string, match: object, error: Json): ToolCall => [
      'wait',
      { for: subject, match, timeout_ms: 0 },
      error,
    ]
    await expectAll([
      wait(
        'delivery',
        { state: 'delivered' },
        invalid('match: a delivery has no member "state"', 'did you mean status?'),
      ),
      wait(
        'request',
        { url: '/api' },
        { error: { hint: expect.stringMatching(/^members of a request: number, .*path, /) } },
      ),
      wait('response', { answer: 4 }, { error: { hint: 'did you mean answers?' } }),
      wait('response', { id: 4 }, { error: { code: 'timeout' } }),
    ])
  })
})
