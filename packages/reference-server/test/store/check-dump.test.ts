import { describe, expect, it } from 'vitest'
import { checkDump } from '../../src/store/check-dump.ts'
import { ABSENT, dumpWith } from './dump.ts'

const USER = 'people.users[0]'
const KEY = 'keys.keys[0]'
const FORM = 'forms.forms[1]'
const RESPONSE = 'responses.responses[1]'
const ANSWER = `${RESPONSE}.content.answers[0]`
const DRAFT = 'responses.responses[0].draft'
const ENDPOINT = 'endpoints.endpoints[0]'

/**
 * Of each kind of member, where one is, values that it refuses, and values that it accepts. Which member is of which kind is shown by
 * damaged-snapshot.cases.test.ts: a wrong value is refused by its path, or the server works with it.
 */
const KINDS: Record<string, [at: string, refused: unknown[], accepted?: unknown[]]> = {
  'a string': [`${USER}.name`, [ABSENT, null, 12, true, [], {}, 12n], ['', 'x']],
  'true or false': [`${ENDPOINT}.active`, ['true', 1, ABSENT], [true, false]],
  'a number': ['deliveries.deliveries[0].attempts[0].durationMs', ['1', Number.NaN, Infinity], [0, -1.5]],
  'an integer of 0 or more': ['keys.lastId', [-1, 1.5, 2 ** 53, '1'], [0, 2 ** 53 - 1]],
  'an integer of 1 or more': [`${USER}.id`, [0, 1.5, '1'], [1, 2 ** 53 - 1]],
  'an instant in milliseconds within the years 0000 to 9999': [
    `${FORM}.createdAt`,
    [-62_167_219_200_001, 253_402_300_800_000, '2026', Number.NaN],
    [-62_167_219_200_000, 0, 253_402_300_799_999],
  ],
  'a string of 1 to 200 characters': [`${FORM}.title`, ['', 'x'.repeat(201), 12], ['x', 'x'.repeat(200)]],
  'a SHA-256 hash in lower-case hex': [
    `${KEY}.hash`,
    ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), ['a'.repeat(64)], null],
    ['a'.repeat(64)],
  ],
  'the text of a JSON object': [
    'deliveries.deliveries[0].body',
    ['', '{', '[]', 'null', {}, ['{}']],
    ['{}', '{"a":[1]}'],
  ],
  'a list': ['people.users', [{}, null, ''], [[]]],
  'an object': ['people', [[], 'x', ABSENT]],
  '12 letters and digits': [`${FORM}.id`, ['x'.repeat(11), 'x'.repeat(13), 'xxxxxx-xxxxx'], ['aZ0123456789']],
  'letters, digits, - and _': [
    `${FORM}.slug`,
    ['', 'x'.repeat(101), 'a b', ' a', 'a '],
    ['x'.repeat(100), 'aZ0_-'],
  ],
  'a secret that begins whsec_': [`${ENDPOINT}.secret`, ['whsec_', 'a whsec_b'], ['whsec_a']],
  'a token of a form page': ['submitTokens.used[0].token', ['x', ['0.1.x']], ['0.1.x']],
  'one of free, starter, business': ['people.workspaces[0].plan', ['pro'], ['free', 'starter']],
  'one of owner, editor, viewer': ['people.memberships[0].role', ['admin'], ['editor', 'viewer']],
  'one of read, write': [`${KEY}.scope`, ['all'], ['read']],
  'one of current, earlier': [`${KEY}.printed`, [null], ['earlier', ABSENT]],
  'one of draft, published, closed, archived': [`${FORM}.status`, ['open'], ['draft', 'closed', 'archived']],
  'one of draft, published, closed': [
    `${FORM}.statusBeforeArchive`,
    ['archived'],
    ['draft', 'published', 'closed'],
  ],
  'one of submitted, in_progress': [`${RESPONSE}.status`, ['done']],
  'one of response.submitted, test.ping': ['deliveries.deliveries[0].event', ['x'], ['test.ping']],
  'one of pending, delivered, failed': ['deliveries.deliveries[0].status', ['x'], ['pending', 'failed']],
  true: [`${ENDPOINT}.builtIn`, [false], [true, ABSENT]],
}

/** Members that may be null, too. */
const NULLABLE = [
  `${FORM}.publication`,
  `${FORM}.statusBeforeArchive`,
  `${FORM}.responseLimit`,
  `${FORM}.closesAt`,
  `${RESPONSE}.content.score`,
  'deliveries.deliveries[0].body',
  'deliveries.deliveries[0].attempts[0].error',
  'submitTokens.expiredUpTo',
]

const refusal = (path: string, value: unknown): string => {
  try {
    checkDump(dumpWith(path, value))
  } catch (error) {
    const { name, path: at, message } = error as { name: string; path: string; message: string }
    return `${name}: ${at} ${message}`
  }
  return 'accepted'
}

describe('checkDump', () => {
  it('accepts a state', () => {
    expect(() => checkDump(dumpWith())).not.toThrow()
  })

  it.each(Object.entries(KINDS))('accepts only %s', (what, [at, refused, accepted = []]) => {
    for (const value of refused)
      expect([value, refusal(at, value)]).toEqual([
        value,
        expect.stringContaining(`SnapshotError: state.${at} must be ${what}, got `),
      ])
    for (const value of accepted) expect([value, refusal(at, value)]).toEqual([value, 'accepted'])
  })

  it.each([`${USER}.id`, 'people.users', `${KEY}.hash`, `${ENDPOINT}.secret`, 'submitTokens.used[0].token'])(
    'shows no text that it refuses as %s',
    (path) => {
      expect(refusal(path, 'secret')).toMatch(/ must be .*, got a string$/)
    },
  )

  it.each(NULLABLE)('accepts null as %s', (path) => {
    expect(refusal(path, null)).toBe('accepted')
  })

  it.each([
    'colour',
    'people.colour',
    `${USER}.colour`,
    `${FORM}.publication.colour`,
    `${ANSWER}.colour`,
    `${DRAFT}.colour`,
    'submitTokens.colour',
  ])('refuses %s, which this version does not know', (path) => {
    expect(refusal(path, null)).toBe(`SnapshotError: state.${path} is not part of a snapshot`)
  })

  it('accepts other members of a question, which are compared with its definition', () => {
    expect(refusal(`${FORM}.questions[0].colour`, 'red')).toBe('accepted')
    expect(refusal(`${FORM}.questions[0].type`, 'colour')).toMatch(
      /^SnapshotError: state\.forms\.forms\[1\]\.questions\[0\]\.type must be one of short_text, .*, got a string$/,
    )
  })

  it('accepts a state of an earlier version, without what came later', () => {
    for (const path of ['submitTokens', `${FORM}.language`, `${RESPONSE}.sequence`, `${KEY}.printed`])
      expect([path, refusal(path, ABSENT)]).toEqual([path, 'accepted'])
  })

  it.each([FORM, `${FORM}.publication`])(
    'accepts only a valid language in %s, as in earlier versions',
    (part) => {
      expect([refusal(`${part}.language`, 'nope!'), refusal(`${part}.language`, null)]).toEqual([
        `SnapshotError: state.${part}.language must be a valid language or null, got a string`,
        'accepted',
      ])
      const earlier = (language: unknown) => refusal(`${part}.appearance`, { language, accent: '#0f6b5c' })
      expect([earlier('nope!'), earlier('ar'), earlier(null)]).toEqual([
        `SnapshotError: state.${part}.appearance.language must be a valid language or null, got a string`,
        'accepted',
        'accepted',
      ])
    },
  )

  it('refuses a list with a hole', () => {
    const users: unknown[] = []
    users[1] = { id: 2, name: 'Bo', email: 'bo@example.com', passwordChangedAt: null }
    expect(refusal('people.users', users)).toBe(
      'SnapshotError: state.people.users[0] must be an object, got nothing',
    )
  })

  it.each<[value: unknown, shown: string]>([
    [12n, 'a bigint'],
    [{ a: 12n }, 'an object'],
    [() => 12, 'a function'],
    [ABSENT, 'nothing'],
  ])('accepts only what JSON can represent where any value may be: %s', (value, shown) => {
    expect(refusal(`${DRAFT}.answers[0].value`, value)).toBe(
      `SnapshotError: state.${DRAFT}.answers[0].value must be a JSON value, got ${shown}`,
    )
    expect(refusal(`${RESPONSE}.content.meta`, { a: 12n })).toBe(
      `SnapshotError: state.${RESPONSE}.content.meta must be a JSON value, got an object`,
    )
  })
})

describe('the value of an answer', () => {
  const refusalOfValue = (type: string, value: unknown) =>
    refusal(ANSWER, { question_id: 'q1', title: 'Q', type, text: '', value }).replace(
      `SnapshotError: state.${ANSWER}.value`,
      '',
    )
  const files = [{ id: 'f', name: 'cv.pdf', size: 0 }]
  const address = { line1: '', line2: '', city: '', region: '', postal: '', country: '' }

  // damaged-snapshot.cases.test.ts has a right value of each type, and wrong ones.
  it.each([
    ['single_choice', { ids: [1], other: null }, '.ids[0] must be a string, got 1'],
    ['single_choice', { ids: [], other: 1 }, '.other must be a string, got 1'],
    ['grid_single', { r: ['c'] }, '.r must be a string, got a list'],
    ['grid_multiple', { r: 'c' }, '.r must be a list, got a string'],
    ['file', [{ ...files[0], size: -1 }], '[0].size must be an integer of 0 or more, got -1'],
    ['file', [{ ...files[0], name: 1 }], '[0].name must be a string, got 1'],
    ['address', { ...address, zip: '' }, '.zip is not part of a snapshot'],
  ])('[RESP-07] of type %s is refused by its part: %j', (type, value, message) => {
    expect(refusalOfValue(type, value)).toBe(message)
  })

  it('[ENV-04] of a type that was added later is any JSON', () => {
    expect([refusalOfValue('colour', '#fff'), refusalOfValue('toString', { a: 1 })]).toEqual([
      'accepted',
      'accepted',
    ])
    expect(refusalOfValue('colour', () => 1)).toBe(' must be a JSON value, got a function')
  })
})
