import type { FormResponse } from '@formwire/contract'
import { describe, expect, it, vi } from 'vitest'
import { createReferenceServer, type Seed } from '../../src/index.ts'
import { type PullClient, PullError, type PullOptions, type ScrubMode } from '../../src/pull/index.ts'
import { answer, clientOf, FORM, formOf, pull as pullFrom, response, withEndpoints } from './service.ts'
import { responsesOf } from './workspace.ts'

/** Pulls a service and serves the seed. */
const pull = async (client: PullClient, scrub: ScrubMode = false, more: Partial<PullOptions> = {}) => {
  const { report, seed } = await pullFrom(client, { scrub, ...more })
  const pulled = await seed()
  const server = createReferenceServer({ seed: JSON.parse(JSON.stringify(pulled)) as Seed })
  await server.ready
  return { unknown: report.forms[0]?.unknown, responses: await responsesOf(server, FORM), seed: pulled }
}

/** What a report says of single values. */
const reported = (why: string, ...ids: string[]) => ids.map((id) => ({ id, why, values: 1 }))

it('[ENV-04] serves types, members and statuses that it does not know, and reports them', async () => {
  const odd = [
    answer('place', 'map_pin', { lat: 52.5, note: 'gate' }, 'gate'),
    answer('n', 'rating', 'five', '5 stars'),
  ]
  const form = { status: 'paused', owner: 'x', title: 't'.repeat(300) }
  const { unknown, responses } = await pull(clientOf([response(1, odd, { mood: 'good' })], form))
  expect(responses[0]?.answers).toEqual([odd[0]])
  expect(unknown).toEqual([
    ...reported('unexpected_member', 'owner'),
    ...reported('changed', 'title', 'status'),
    ...reported('unexpected_member', 'mood'),
    ...reported('unknown_type', 'place'),
    ...reported('unexpected_value', 'n'),
  ])
})

it('[RESP-06] keeps answers of the newest type of a question, with their older titles and orders', async () => {
  const client = clientOf([
    response(3, [answer('a', 'number', 3), answer('b', 'short_text', 'x')]),
    response(2, [{ ...answer('b', 'short_text', 'y'), title: 'Old' }, answer('a', 'number', 2)]),
    response(1, [answer('a', 'short_text', 'one')]),
  ])
  const { unknown, responses } = await pull(client)
  expect(
    responses.map(({ answers }) => answers.map(({ question_id, title }) => `${question_id} ${title}`)),
  ).toEqual([['a Title', 'b Title'], ['b Old', 'a Title'], []])
  expect(unknown).toEqual(reported('type_changed', 'a'))
})

it('keeps times within the years of a seed when it moves them, and reports those that were cut', async () => {
  const years = 100 * 365 * 86_400_000
  const client = clientOf([response(1, [], { submitted_at: '9990-01-01T00:00:00Z' })], {
    opens_at: '0001-01-01T00:00:00Z',
    closes_at: '9999-12-31T23:59:59Z',
  })
  for (const [shiftMs, member] of [
    [years, 'closes_at'],
    [-years, 'opens_at'],
  ] as const) {
    const { unknown, seed } = await pull(client, false, { shiftMs })
    expect(unknown).toEqual(expect.arrayContaining(reported('changed', member)))
    expect(formOf(seed)[member]).toBe(shiftMs > 0 ? '9999-12-31T23:59:59.999Z' : '0000-01-01T00:00:00.000Z')
  }
  const { unknown, responses } = await pull(client, false, { shiftMs: years })
  expect(unknown).toEqual(expect.arrayContaining(reported('changed', 'submitted_at')))
  expect(responses[0]?.submitted_at).toBe('9999-12-31T23:59:59.999Z')
  expect((await pull(client)).unknown).toEqual([])
})

it('reports each value of a form or a response that a seed cannot have', async () => {
  const times = { opens_at: 'soon', closes_at: '2026-12-01T10:00:00.0001Z' }
  const odd = response(1, [], {
    started_at: '2026-11-01T09:00:00.1234Z',
    submitted_at: '2026-11-01T10:00:00.123456Z',
    duration_sec: 1.5,
    email: 5,
    score: '5',
    max_score: '10',
    meta: [1],
  })
  const usual = { submitted_at: '2026-11-01T10:00:00.123000+00:00', email: null, meta: null }
  const form = { ...times, response_limit: 0, response_count: '1' }
  const { unknown } = await pull(clientOf([odd, response(2, [], usual)], form))
  const ofForm = ['response_limit', 'response_count', 'opens_at', 'closes_at']
  const ofResponse = ['started_at', 'submitted_at', 'duration_sec', 'email', 'score', 'max_score', 'meta']
  expect(unknown).toEqual(reported('changed', ...ofForm, ...ofResponse))
})

it.each([false, 'normal'] as const)(
  'loads a pull whose user and workspace a seed cannot have, and reports them, when scrubbing is %s',
  async (scrub) => {
    const odd = {
      user: { id: 'u_1', name: '', email: 'jürgen@müller.example' },
      workspace: { id: 2 ** 60, name: '', role: 'owner' },
    }
    const { unknown, seed } = await pull({ ...clientOf([]), me: async () => odd as never }, scrub)
    const email = scrub === false ? 'user@example.com' : expect.stringMatching(/\.example$/)
    expect(seed.users).toEqual([{ id: 1, name: 'User', email }])
    expect(seed.workspaces[0]).toMatchObject({
      id: 1,
      name: 'Workspace',
      members: [{ role: 'owner', user: email }],
    })
    const members = ['user.email', 'user.id', 'user.name', 'workspace.id', 'workspace.name']
    expect(unknown).toEqual(reported('changed', ...members.slice(scrub === false ? 0 : 1)))
  },
)

it('leaves out endpoints that a seed cannot have, and reports them', async () => {
  const url = 'https://hooks.example.com/a'
  const odd = [
    null,
    { id: null, url, active: true },
    { id: 2, url: 'ftp://hooks.example.com/a', active: true },
    { id: 3, active: true },
    { id: 4, url, active: true, created_at: '2026-11-01T10:00:00Z' },
  ]
  const client = withEndpoints(clientOf([]), ...odd)
  for (const scrub of [false, 'normal'] as const) {
    const { unknown, seed } = await pull(client, scrub, { endpoints: true })
    expect(formOf(seed).webhooks?.map(({ id }) => id)).toEqual([4])
    expect(unknown).toEqual([{ ...reported('changed', 'webhooks')[0], values: 4 }])
  }
})

it('keeps the responses of a form whose endpoints the key may not read', async () => {
  const client: PullClient = {
    ...clientOf([response(1, [])]),
    webhooks: {
      // biome-ignore lint/correctness/useYield: It fails at once.
      async *list() {
        throw Object.assign(new Error('Forbidden.'), { status: 403, envelope: true })
      },
    },
  }
  const { unknown, responses } = await pull(client, false, { endpoints: true })
  expect(responses).toHaveLength(1)
  expect(unknown).toEqual(reported('changed', 'webhooks'))
})

it('replaces values of unknown types, and names of meta members that are no plain identifiers', async () => {
  const meta = { 'Ada Byron': 1, utm: { 'ada@example.com': 'x' } }
  const pin = answer('p', 'map_pin', { note: 'by the gate' }, 'by the gate')
  const { seed } = await pull(clientOf([response(1, [pin], { meta })]), 'normal')
  expect(JSON.stringify(seed)).not.toMatch(/by the gate|Ada Byron|ada@example/)
})

it('refuses to keep or replace questions of forms that are not pulled before it reads, and reports those that no response answers', async () => {
  const client = clientOf([response(1, [answer('name', 'short_text', 'Ada')])])
  const me = vi.fn(client.me)
  const pulling = (more: Partial<PullOptions>) => pullFrom({ ...client, me }, { scrub: 'normal', ...more })
  const refusal = {
    code: 'pull_option',
    message: 'replace: "other.name" is of form other, which is not pulled',
  }
  await expect(pulling({ forms: [FORM], replace: ['other.name'] })).rejects.toMatchObject(refusal)
  expect(me).not.toHaveBeenCalled()
  await expect(pulling({ replace: ['other.name'] })).rejects.toMatchObject(refusal)
  const { report } = await pulling({ keep: [`${FORM}.name`, `${FORM}.title`] })
  expect(report.forms[0]?.unknown).toEqual([{ id: 'title', why: 'unanswered', values: 0 }])
})

it.each(['Red', ''])('keeps the text %j of a choice whose other text is empty', async (text) => {
  const choice = answer('colour', 'single_choice', { ids: ['red'], other: '' }, text)
  const { seed } = await pull(clientOf([response(1, [choice])]), 'normal')
  expect(formOf(seed).responses?.[0]?.answers[0]?.text).toBe(text)
})

it('reports what is drawn when it is strict, and keeps what has one value only', async () => {
  const choice = (id: string, ids: string[]) =>
    answer(id, 'multiple_choice', { ids, other: null }, ids.join(', '))
  const responses = [1, 2].map((number) =>
    response(number, [
      answer('same number', 'rating', 4),
      answer('number', 'rating', 3 + number),
      answer('same day', 'date', '2026-01-01'),
      answer('day', 'date', `2026-01-0${number}`),
      answer('odd day', 'date', `day ${number}`),
      choice('same choice', ['a']),
      choice('choice', [`o${number}`]),
      answer('same column', 'grid_single', { row: 'a' }, ''),
      answer('column', 'grid_single', { row: `o${number}` }, ''),
      answer('text', 'short_text', 'Ada Byron'),
    ]),
  )
  const { report } = await pullFrom(clientOf(responses), { scrub: 'strict' })
  const questions = report.forms[0]?.questions ?? []
  const idsOf = (action: string, drawn?: true) =>
    questions.filter((one) => one.action === action && one.drawn === drawn).map(({ id }) => id)
  expect(idsOf('kept')).toEqual(['same number', 'same day', 'same choice', 'same column'])
  expect(idsOf('replaced', true)).toEqual(['number', 'day', 'odd day', 'choice', 'column'])
  expect(idsOf('replaced')).toEqual(['text'])
})

it('draws values that do not depend on the originals, so that one of two does not show the other', async () => {
  const answers = Array.from({ length: 200 }, (_, index) =>
    response(index + 1, [answer('q', 'rating', 1 + (index % 2))]),
  )
  const { responses } = await pull(clientOf(answers), 'strict')
  const same = responses.filter(({ id, answers: [one] }) => one?.value === 2 - (id % 2)).length
  expect(same).toBeGreaterThan(60)
  expect(same).toBeLessThan(140)
})

it.each(['normal', 'strict'] as const)(
  'replaces dates and times that are neither when scrubbing is %s',
  async (scrub) => {
    const odd = [
      answer('a', 'date', 'born in Ulm'),
      answer('b', 'time', '12:30 at Otto'),
      answer('c', 'date', '1990-02-03', 'third of May'),
      answer('d', 'time', '12:30:00+01:00'),
    ]
    const { seed } = await pull(clientOf([response(1, odd)]), scrub)
    expect(JSON.stringify(seed)).not.toMatch(/born|Ulm|Otto|third|May/)
    const answers = formOf(seed).responses?.[0]?.answers
    expect(answers?.[2]).toMatchObject({ value: '1990-02-03', text: '1990-02-03' })
    if (scrub === 'normal') expect(answers?.[3]).toMatchObject({ value: '12:30:00+01:00' })
  },
)

it('leaves out questions whose id a form cannot have', async () => {
  const ids = ['__proto__', 'a[0]', '😀'.repeat(51)]
  const odd = response(
    1,
    ids.map((id) => answer(id, 'number', 1)),
  )
  const { unknown, responses } = await pull(clientOf([odd]))
  expect(responses[0]?.answers).toEqual([])
  expect(unknown).toEqual(reported('unusable_id', ...ids.map((id) => id.slice(0, 100))))
})

it.each([
  [response(2 ** 53, []), 'a response whose id is not an integer from 1 to 9000000000000000'],
  [
    response(1, [], { submitted_at: 'yesterday' }),
    'response 1 of form survey000001 has no valid submitted_at',
  ],
])('refuses a response that cannot be represented', async (odd, message) => {
  await expect(pull(clientOf([odd]))).rejects.toThrow(PullError)
  await expect(pull(clientOf([odd]))).rejects.toThrow(message)
})

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

describe('shapes that cannot be read', () => {
  const one = 'response 1 of form survey000001'
  const odd = answer('a', 'number', 1)
  it.each<[string, unknown, object?]>([
    ['form survey000001: title is not text', response(1, []), { title: 7 }],
    ['form survey000001: updated_at is not text', response(1, []), { updated_at: { toString: 1 } }],
    ['form survey000001 has a response that is not an object', null],
    [`${one}: answers is not a list`, response(1, {} as unknown[])],
    [`${one}: submitted_at is not text`, response(1, [], { submitted_at: deep(20_000) })],
    [`${one}: an answer is not an object`, response(1, [null])],
    [`${one}: title of an answer is not text`, response(1, [{ ...odd, title: deep(20_000) }])],
    [`${one}: an answer has more than 100 levels`, response(1, [answer('a', 'map_pin', deep(20_000), 'x')])],
    [`${one}: meta has more than 100 levels`, response(1, [], { meta: { a: deep(20_000) } })],
  ])('refuses them by their place: %s', async (message, odd, form = {}) => {
    const client = clientOf([odd as FormResponse], form)
    for (const scrub of [false, 'normal'] as const) {
      const error: unknown = await pull(client, scrub).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(PullError)
      expect(error).toMatchObject({ code: 'invalid_response', message: expect.stringContaining(message) })
    }
  })

  it('refuses a key without a user', async () => {
    const client = { ...clientOf([]), me: async () => ({ user: null, workspace: [] }) as never }
    await expect(pull(client)).rejects.toMatchObject({ code: 'invalid_response' })
  })
})

it('loads a pull with the key of a viewer', async () => {
  const { seed } = await pull(clientOf([]))
  expect(seed.workspaces[0]?.members).toEqual([{ user: 'ada@example.com', role: 'owner' }])
})

it('counts the responses it has when some are deleted while it reads', async () => {
  const client = clientOf([response(2, []), response(1, [])], { response_count: 3 })
  const { get } = client.forms
  const { seed } = await pull({
    ...client,
    forms: { ...client.forms, get: async (id) => ({ ...(await get(id)), response_count: 1 }) },
  })
  expect(formOf(seed)).not.toHaveProperty('response_count')
})
