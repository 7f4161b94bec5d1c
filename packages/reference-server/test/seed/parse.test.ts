import { describe, expect, it } from 'vitest'
import { createReferenceServer } from '../../src/index.ts'
import type { Seed } from '../../src/seed/format.ts'
import { emptySeed } from '../../src/seed/load.ts'
import { parseSeed } from '../../src/seed/parse.ts'
import { problems } from './problems.ts'

const seedWith = (form: unknown): unknown => {
  const seed = emptySeed()
  return { ...seed, workspaces: [{ ...seed.workspaces[0], forms: [form] }] }
}

const FORM = 'workspaces[0].forms[0]'
const QUESTIONS = [
  { id: 'room', type: 'single_choice', title: 'Room', options: [{ id: 'twin', label: 'Twin' }] },
  {
    id: 'grid',
    type: 'grid_single',
    title: 'Grid',
    rows: [{ id: 'r', label: 'R' }],
    columns: [{ id: 'c', label: 'C' }],
  },
]

describe('parseSeed', () => {
  it('accepts the smallest seed and one with every field', () => {
    expect(parseSeed(emptySeed())).toEqual(emptySeed())
    const full = seedWith({
      id: 'ABCdef123456',
      slug: 'my-form',
      title: 'A form',
      published_title: 'A form, before',
      status: 'closed',
      trashed: true,
      response_limit: 3,
      opens_at: '2026-01-01T00:00:00Z',
      closes_at: '-3d4h',
      created_at: '-9d',
      updated_at: '-1m30s',
      questions: QUESTIONS,
      responses: [
        {
          answers: [{ question_id: 'room', value: { ids: ['twin'], other: null } }],
          email: null,
          meta: { a: 1 },
        },
        { status: 'in_progress', submitted_at: '-1h', started_at: '-2h', answers: [] },
      ],
      webhooks: [{ url: 'http://127.0.0.1:4000/', active: false, secret: 'whsec_x', created_at: '-1d' }],
    })
    expect(parseSeed(full)).toEqual(full)
  })

  const first = { id: 'a', type: 'nps', title: 'A' }
  const later = { id: 'c', type: 'nps', title: 'C', show_if: { question_id: 'd', equals: 1 } }
  const asking = (...questions: object[]) => ({ title: 'A', questions })
  it.each<[what: string, form: object, ...found: string[]]>([
    [
      'every problem',
      { title: '', status: 'open' },
      '.title: title needs at least 1 character',
      '.status: Invalid option: expected one of "draft"|"published"|"closed"|"archived"',
    ],
    [
      'an instant',
      { title: 'A', closes_at: 'yesterday' },
      '.closes_at: expected an ISO 8601 date-time in UTC, or a span before loading such as -3d4h',
    ],
    ['an id', { title: 'A', id: 'short' }, '.id: expected 12 letters and digits'],
    [
      'the URL of an endpoint',
      { title: 'A', webhooks: [{ url: 'ftp://example.com' }] },
      '.webhooks[0].url: expected an http or https URL',
    ],
    ['an unknown field', { title: 'A', respones: [] }, ': Unrecognized key: "respones"'],
    [
      'an email address, as in the public form',
      { title: 'A', responses: ['ada@example.com', null, 'nobody'].map((email) => ({ email, answers: [] })) },
      '.responses[2].email: expected an email address or null',
    ],
    [
      'a question without options',
      asking({ type: 'ranking', title: 'R' }),
      '.questions[0].options: must be a list of at least one {"id", "label"}',
    ],
    [
      'the id of an earlier question',
      asking(first, first),
      '.questions[1].id: "a" is the id of an earlier question',
    ],
    [
      'logic that refers to no earlier question',
      asking(first, later),
      '.questions[1].show_if.question_id: must be the id of an earlier question of the form',
    ],
    [
      'an unknown field of a question',
      asking({ ...first, titel: 'B' }),
      '.questions[0]: Unrecognized key: "titel"',
    ],
    [
      'unknown fields of the parts of questions',
      asking(
        first,
        { type: 'dropdown', title: 'B', options: [{ id: 'x', label: 'X', lable: 'Y' }] },
        { ...later, show_if: { question_id: 'a', equals: 1, equal: 2 } },
      ),
      '.questions[1].options[0].lable: Unknown field "lable"; did you mean "label"?',
      '.questions[2].show_if.equal: Unknown field "equal"; did you mean "equals"?',
    ],
  ])('reports the path of %s', (_what, form, ...found) => {
    expect(problems(seedWith(form))).toEqual(found.map((problem) => FORM + problem))
  })

  it('reports what is no seed, and one of a later version', () => {
    expect(problems({ ...emptySeed(), version: 3 })).toEqual([
      'version: must be 1 or 2, got 3: written by a newer version of formwire',
    ])
    expect(problems(null)[0]).toMatch(/^: Invalid input: expected object/)
  })

  it('[RESP-07] validates every answer against its question', () => {
    const answers = (...list: [string, unknown][]) =>
      seedWith({
        title: 'A',
        questions: QUESTIONS,
        responses: [{ answers: list.map(([question_id, value]) => ({ question_id, value })) }],
      })
    const at = `${FORM}.responses[0].answers[0]`
    expect(problems(answers(['rooom', 1]))).toEqual([
      `${at}.question_id: no question of the form has the id rooom`,
    ])
    expect(problems(answers(['room', { ids: ['suite'], other: null }]))).toEqual([
      `${at}.value: Choose from the options of the question.`,
    ])
    expect(problems(answers(['grid', { r: 'x' }]))).toEqual([expect.stringContaining(`${at}.value: `)])
    const required = { id: 'room', type: 'short_text', title: 'Name', required: true }
    const lacking = seedWith({ title: 'A', questions: [required], responses: [{ answers: [] }] })
    expect(problems(lacking)).toEqual([`${FORM}.responses[0].answers: room: Please answer this question.`])
  })

  it('[AUTH-05] requires known users, and no write key for a viewer', () => {
    const seed = emptySeed()
    const workspace = {
      name: 'W',
      members: [
        { user: 'owner@example.com', role: 'viewer' },
        { user: 'ghost@example.com', role: 'editor' },
      ],
      keys: [
        { name: 'K', scope: 'write', user: 'owner@example.com' },
        { name: 'L', scope: 'read', user: 'other@example.com' },
      ],
    }
    expect(problems({ ...seed, workspaces: [workspace] })).toEqual([
      'workspaces[0].members[1].user: no user has the email ghost@example.com',
      'workspaces[0].keys[0].scope: a viewer cannot have a write key (AUTH-05)',
      'workspaces[0].keys[1].user: other@example.com is not a member of this workspace',
    ])
  })

  it("[AUTH-05] requires an owner or editor in the first workspace for the server's write key", () => {
    const seed = emptySeed()
    const members = (role: string) => [
      { ...seed.workspaces[0], keys: [], members: [{ user: 'owner@example.com', role }] },
    ]
    expect(problems({ ...seed, workspaces: members('viewer') })).toEqual([
      "workspaces[0].members: needs an owner or an editor, for the server's own write key",
    ])
    expect(problems({ ...seed, workspaces: members('editor') })).toEqual([])
  })

  it('rejects duplicate ids, slugs and emails', () => {
    const seed = emptySeed()
    const form = { id: 'ABCdef123456', slug: 's', title: 'A' }
    const webhook = { id: 2, url: 'http://127.0.0.1:9/a' }
    const parts = { responses: Array(2).fill({ id: 5, answers: [] }), webhooks: [webhook, webhook] }
    expect(problems(seedWith({ title: 'A', ...parts }))).toEqual([
      `${FORM}.responses[1].id: the response id 5 is already used`,
      `${FORM}.webhooks[1].id: the endpoint id 2 is already used`,
    ])
    const workspace = { ...(seed.workspaces[0] as Seed['workspaces'][0]), id: 4, forms: [form, form] }
    expect(
      problems({ ...seed, users: [seed.users[0], seed.users[0]], workspaces: [workspace, workspace] }),
    ).toEqual([
      'users[1].email: the email owner@example.com is already used',
      'workspaces[0].forms[1].id: the form id ABCdef123456 is already used',
      'workspaces[0].forms[1].slug: the slug s is already used',
      'workspaces[1].id: the workspace id 4 is already used',
      'workspaces[1].forms[0].id: the form id ABCdef123456 is already used',
      'workspaces[1].forms[0].slug: the slug s is already used',
      'workspaces[1].forms[1].id: the form id ABCdef123456 is already used',
      'workspaces[1].forms[1].slug: the slug s is already used',
    ])
  })

  it('includes no key or secret in its message', () => {
    const seed = emptySeed()
    const [workspace] = seed.workspaces
    const keys = [{ name: 'K', scope: 'read', user: 'owner@example.com', key: 'sk_live_topsecret' }]
    const said = problems({ ...seed, workspaces: [{ ...workspace, keys }] }).join()
    expect(said).toBe('workspaces[0].keys[0].key: expected svc_ and at least 16 letters and digits')
  })

  it('shows ten problems in its message and counts the rest', () => {
    const forms = Array.from({ length: 14 }, () => ({ title: '' }))
    const seed = { ...emptySeed(), workspaces: [{ ...emptySeed().workspaces[0], forms }] }
    expect(() => parseSeed(seed)).toThrow(/The seed cannot be loaded:\n(.*\n){10} {2}… and 4 more$/)
  })
})

describe('a well-formed seed that cannot be loaded', () => {
  const load = (seed: unknown, options = {}) =>
    createReferenceServer({ seed: seed as Seed, ...options }).ready

  it('[AUTH-08] is rejected for an eleventh active key of one user', async () => {
    const keys = Array.from({ length: 12 }, (_, index) => ({
      name: `K${index}`,
      scope: index % 2 ? 'read' : 'write',
      user: 'owner@example.com',
      revoked: index === 3,
    }))
    const seed = { ...emptySeed(), workspaces: [{ ...emptySeed().workspaces[0], keys }] }
    await expect(load(seed)).rejects.toThrow(
      'workspaces[0].keys[11]: the user already has 10 active keys (AUTH-08)',
    )
    await expect(load(seed, { limits: { activeKeys: 11 } })).resolves.toBeUndefined()
  })

  it('[RESP-05] is rejected for a response that was submitted before it was started', async () => {
    const responses = [
      { answers: [], started_at: '-1h', submitted_at: '-1h' },
      { answers: [], started_at: '2026-05-02T00:00:00Z', submitted_at: '2026-05-01T00:00:00Z' },
    ]
    await expect(load(seedWith({ title: 'A', responses }))).rejects.toThrow(
      `${FORM}.responses[1].started_at: must not be after submitted_at`,
    )
  })
})
