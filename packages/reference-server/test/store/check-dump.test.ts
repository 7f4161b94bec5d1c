import { describe, expect, it } from 'vitest'
import { checkDump } from '../../src/store/check-dump.ts'
import { ABSENT, dumpWith } from './dump.ts'

const USER = 'people.users[0]'
const WORKSPACE = 'people.workspaces[0]'
const KEY = 'keys.keys[0]'
const FORM = 'forms.forms[0]'
const RESPONSE = 'responses.responses[0]'
const ANSWER = `${RESPONSE}.content.answers[0]`
const DRAFT = 'responses.responses[1].draft'
const ENDPOINT = 'endpoints.endpoints[0]'
const DELIVERY = 'deliveries.deliveries[0]'
const ATTEMPT = `${DELIVERY}.attempts[0]`
const UPLOAD = 'uploads.uploads[0]'

const TEXT = 'a string'
const FLAG = 'true or false'
const NUMBER = 'a number'
const WHOLE = 'an integer of 0 or more'
const ID = 'an integer of 1 or more'
const INSTANT = 'an instant in milliseconds within the years 0000 to 9999'
const TITLE = 'a string of 1 to 200 characters'
const HASH = 'a SHA-256 hash in lower-case hex'
const BODY = 'the text of a JSON object'

/** Values that each kind of member refuses, with how a message describes them, and values that it accepts. */
const KINDS: Record<string, { refused: [value: unknown, shown: string][]; accepted: unknown[] }> = {
  [TEXT]: {
    refused: [
      [ABSENT, 'nothing'],
      [null, 'null'],
      [12, '12'],
      [true, 'true'],
      [[], 'a list'],
      [{}, 'an object'],
      [12n, 'a bigint'],
    ],
    accepted: ['', 'x'],
  },
  [FLAG]: {
    refused: [
      ['true', 'a string'],
      [1, '1'],
      [ABSENT, 'nothing'],
    ],
    accepted: [true, false],
  },
  [NUMBER]: {
    refused: [
      ['1', 'a string'],
      [Number.NaN, 'NaN'],
      [Infinity, 'Infinity'],
    ],
    accepted: [0, -1.5],
  },
  [WHOLE]: {
    refused: [
      [-1, '-1'],
      [1.5, '1.5'],
      [2 ** 53, '9007199254740992'],
      ['1', 'a string'],
    ],
    accepted: [0, 2 ** 53 - 1],
  },
  [ID]: {
    refused: [
      [0, '0'],
      [1.5, '1.5'],
      ['1', 'a string'],
    ],
    accepted: [1, 2 ** 53 - 1],
  },
  [INSTANT]: {
    refused: [
      [-62_167_219_200_001, '-62167219200001'],
      [253_402_300_800_000, '253402300800000'],
      ['2026', 'a string'],
      [Number.NaN, 'NaN'],
    ],
    accepted: [-62_167_219_200_000, 0, 253_402_300_799_999],
  },
  [TITLE]: {
    refused: [
      ['', 'a string'],
      ['x'.repeat(201), 'a string'],
      [12, '12'],
    ],
    accepted: ['x', 'x'.repeat(200)],
  },
  [HASH]: {
    refused: [
      ['a'.repeat(63), 'a string'],
      ['a'.repeat(65), 'a string'],
      ['A'.repeat(64), 'a string'],
      [['a'.repeat(64)], 'a list'],
      [null, 'null'],
    ],
    accepted: ['a'.repeat(64)],
  },
  [BODY]: {
    refused: [
      ['', 'a string'],
      ['{', 'a string'],
      ['[]', 'a string'],
      ['null', 'a string'],
      [{}, 'an object'],
      [['{}'], 'a list'],
    ],
    accepted: ['{}', '{"a":[1]}'],
  },
  'a list': {
    refused: [
      [{}, 'an object'],
      [null, 'null'],
      ['', 'a string'],
    ],
    accepted: [[]],
  },
  'an object': {
    refused: [
      [[], 'a list'],
      ['x', 'a string'],
      [ABSENT, 'nothing'],
    ],
    accepted: [],
  },
  '12 letters and digits': {
    refused: [
      ['x'.repeat(11), 'a string'],
      ['x'.repeat(13), 'a string'],
      ['xxxxxx-xxxxx', 'a string'],
    ],
    accepted: ['aZ0123456789'],
  },
  'letters, digits, - and _': {
    refused: [
      ['', 'a string'],
      ['x'.repeat(101), 'a string'],
      ['a b', 'a string'],
      [' a', 'a string'],
      ['a ', 'a string'],
    ],
    accepted: ['x'.repeat(100), 'aZ0_-'],
  },
  'a secret that begins whsec_': {
    refused: [
      ['whsec_', 'a string'],
      ['a whsec_b', 'a string'],
    ],
    accepted: ['whsec_a'],
  },
  'a token of a form page': {
    refused: [
      ['x', 'a string'],
      [['0.1.x'], 'a list'],
    ],
    accepted: ['0.1.x'],
  },
  'one of free, starter, business': { refused: [['pro', 'a string']], accepted: ['free', 'starter'] },
  'one of owner, editor, viewer': { refused: [['admin', 'a string']], accepted: ['editor', 'viewer'] },
  'one of read, write': { refused: [['all', 'a string']], accepted: ['read'] },
  'one of current, earlier': { refused: [[null, 'null']], accepted: ['earlier', ABSENT] },
  'one of draft, published, closed, archived': {
    refused: [['open', 'a string']],
    accepted: ['draft', 'closed', 'archived'],
  },
  'one of draft, published, closed': {
    refused: [['archived', 'a string']],
    accepted: ['draft', 'published', 'closed', null],
  },
  'one of submitted, in_progress': { refused: [['done', 'a string']], accepted: [] },
  'one of response.submitted, test.ping': { refused: [['x', 'a string']], accepted: ['test.ping'] },
  'one of pending, delivered, failed': { refused: [['x', 'a string']], accepted: ['pending', 'failed'] },
  true: { refused: [[false, 'false']], accepted: [true, ABSENT] },
}

/** Every member of a state, by what it must be. */
const MEMBERS: [expected: string, paths: string[]][] = [
  [
    TEXT,
    [
      ...[`${USER}.name`, `${USER}.email`, `${WORKSPACE}.name`, `${KEY}.name`, `${KEY}.prefix`],
      ...[`${FORM}.questions[0].id`, `${FORM}.questions[0].title`, `${RESPONSE}.formId`],
      ...[`${ANSWER}.question_id`, `${ANSWER}.title`, `${ANSWER}.type`, `${ANSWER}.text`, `${ANSWER}.value`],
      ...[`${DRAFT}.token`, `${DRAFT}.answers[0].question_id`, `${ENDPOINT}.formId`, `${ENDPOINT}.url`],
      ...[`${DELIVERY}.id`, `${DELIVERY}.formId`, `${ATTEMPT}.signature`],
      ...[`${UPLOAD}.id`, `${UPLOAD}.formId`, `${UPLOAD}.name`, 'submitTokens.used[0].formId'],
    ],
  ],
  [FLAG, [`${FORM}.questions[0].required`, `${ENDPOINT}.active`]],
  [NUMBER, [`${ATTEMPT}.durationMs`, `${ATTEMPT}.timestamp`]],
  [
    WHOLE,
    [
      ...['version', 'people.lastUserId', 'people.lastWorkspaceId', 'keys.lastId', 'forms.lastRevision'],
      ...['responses.lastId', 'endpoints.lastId', 'deliveries.lastSequence', 'submitTokens.issued'],
      ...[`${FORM}.responseCount`, `${DELIVERY}.responseId`, `${UPLOAD}.size`],
    ],
  ],
  [
    ID,
    [
      ...[`${USER}.id`, `${WORKSPACE}.id`, 'people.memberships[0].userId', `${KEY}.id`, `${KEY}.userId`],
      ...[`${KEY}.workspaceId`, `${FORM}.revision`, `${FORM}.workspaceId`, `${RESPONSE}.id`],
      ...[`${RESPONSE}.sequence`, `${ENDPOINT}.id`, `${ENDPOINT}.workspaceId`, `${DELIVERY}.sequence`],
      ...[`${DELIVERY}.endpointId`, `${ATTEMPT}.number`, 'submitTokens.used[0].responseId'],
    ],
  ],
  [
    INSTANT,
    [
      ...[`${WORKSPACE}.createdAt`, `${KEY}.createdAt`, `${FORM}.createdAt`, `${FORM}.updatedAt`],
      ...[`${FORM}.publication.publishedAt`, `${RESPONSE}.startedAt`, `${RESPONSE}.at`],
      ...[`${ENDPOINT}.createdAt`, `${DELIVERY}.createdAt`, `${ATTEMPT}.startedAt`, `${UPLOAD}.uploadedAt`],
    ],
  ],
  [TITLE, [`${FORM}.title`, `${FORM}.publication.title`]],
  [HASH, [`${KEY}.hash`]],
  [BODY, [`${DELIVERY}.body`]],
  [
    'a list',
    [
      ...['people.users', 'people.workspaces', 'people.memberships', 'keys.keys', 'forms.forms'],
      ...[`${FORM}.questions`, `${FORM}.publication.questions`, 'responses.responses', `${DRAFT}.answers`],
      ...[`${RESPONSE}.content.answers`, 'endpoints.endpoints', 'deliveries.deliveries'],
      ...[`${DELIVERY}.attempts`, 'uploads.uploads', 'submitTokens.used'],
    ],
  ],
  [
    'an object',
    [
      ...['people', 'keys', 'forms', 'responses', 'endpoints', 'deliveries', 'uploads', USER, KEY, FORM],
      ...[RESPONSE, ANSWER, `${RESPONSE}.content`, `${RESPONSE}.content.meta`, ENDPOINT, DELIVERY, UPLOAD],
    ],
  ],
  ['12 letters and digits', [`${FORM}.id`]],
  ['letters, digits, - and _', [`${FORM}.slug`]],
  ['a secret that begins whsec_', [`${ENDPOINT}.secret`]],
  ['a token of a form page', ['submitTokens.expiredUpTo', 'submitTokens.used[0].token']],
  ['one of free, starter, business', [`${WORKSPACE}.plan`]],
  ['one of owner, editor, viewer', ['people.memberships[0].role']],
  ['one of read, write', [`${KEY}.scope`]],
  ['one of current, earlier', [`${KEY}.printed`]],
  ['one of draft, published, closed, archived', [`${FORM}.status`]],
  ['one of draft, published, closed', [`${FORM}.statusBeforeArchive`]],
  ['one of submitted, in_progress', [`${RESPONSE}.status`]],
  ['one of response.submitted, test.ping', [`${DELIVERY}.event`]],
  ['one of pending, delivered, failed', [`${DELIVERY}.status`]],
  ['true', [`${ENDPOINT}.builtIn`]],
]

/** Members that may be null, by what they must be otherwise. */
const NULLABLE: [expected: string, paths: string[]][] = [
  [
    INSTANT,
    [
      ...[`${USER}.passwordChangedAt`, `${KEY}.revokedAt`, `${FORM}.opensAt`, `${FORM}.closesAt`],
      ...[`${FORM}.trashedAt`, `${DELIVERY}.nextAttemptAt`],
    ],
  ],
  [ID, [`${FORM}.responseLimit`, `${UPLOAD}.responseId`]],
  [NUMBER, [`${RESPONSE}.content.score`, `${RESPONSE}.content.maxScore`]],
  [
    TEXT,
    [
      ...[`${RESPONSE}.content.email`, `${ATTEMPT}.error`, `${ATTEMPT}.receiverAnswer`],
      ...[`${DELIVERY}.stopNote`, `${DELIVERY}.note`, `${UPLOAD}.questionId`],
    ],
  ],
  [WHOLE, [`${ATTEMPT}.httpStatus`]],
  ['an object', [`${FORM}.publication`, DRAFT]],
  [BODY, [`${DELIVERY}.body`]],
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

  it.each(MEMBERS.flatMap(([expected, paths]) => paths.map((path) => [path, expected] as const)))(
    'accepts as %s only %s',
    (path, expected) => {
      const { refused, accepted } = KINDS[expected] ?? { refused: [], accepted: [] }
      expect(refused.map(([value]) => refusal(path, value))).toEqual(
        refused.map(([, shown]) => `SnapshotError: state.${path} must be ${expected}, got ${shown}`),
      )
      expect(accepted.map((value) => refusal(path, value))).toEqual(accepted.map(() => 'accepted'))
    },
  )

  it.each(NULLABLE.flatMap(([expected, paths]) => paths.map((path) => [path, expected] as const)))(
    'accepts null as %s, and otherwise only %s',
    (path, expected) => {
      expect([refusal(path, null), refusal(path, false), refusal(path, ABSENT)]).toEqual([
        'accepted',
        `SnapshotError: state.${path} must be ${expected}, got false`,
        `SnapshotError: state.${path} must be ${expected}, got nothing`,
      ])
    },
  )

  it.each([
    'colour',
    'people.colour',
    `${USER}.colour`,
    `${FORM}.appearance.colour`,
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
      /^SnapshotError: state\.forms\.forms\[0\]\.questions\[0\]\.type must be one of short_text, .*, got a string$/,
    )
  })

  it('accepts a state of an earlier version, without what came later', () => {
    for (const path of [
      'submitTokens',
      `${FORM}.appearance`,
      `${FORM}.publication.appearance`,
      `${RESPONSE}.sequence`,
      `${KEY}.printed`,
    ])
      expect([path, refusal(path, ABSENT)]).toEqual([path, 'accepted'])
  })

  it('accepts no token as the latest expired one', () => {
    expect(refusal('submitTokens.expiredUpTo', null)).toBe('accepted')
  })

  it.each([
    ['intro', 5],
    ['language', 'nope!'],
    ['logo', 'https://example.com/logo.png'],
    ['accent', ABSENT],
  ])('accepts only a valid %s of a form', (field, value) => {
    const path = `${FORM}.appearance.${field}`
    expect([refusal(path, value), refusal(path, null)]).toEqual([
      expect.stringMatching(
        `^SnapshotError: state\\.forms\\.forms\\[0\\]\\.appearance\\.${field} must be a valid ${field} or null, got `,
      ),
      'accepted',
    ])
  })

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

  it('accepts any JSON as the metadata of a response and as an answer of a draft', () => {
    for (const value of [null, 0, '', [], { a: [1] }])
      expect([
        refusal(`${RESPONSE}.content.meta.value`, value),
        refusal(`${DRAFT}.answers[0].value`, value),
      ]).toEqual(['accepted', 'accepted'])
  })
})

describe('the value of an answer', () => {
  const refusalOfValue = (type: string, value: unknown) =>
    refusal(ANSWER, { question_id: 'q1', title: 'Q', type, text: '', value }).replace(
      `SnapshotError: state.${ANSWER}.value`,
      '',
    )
  const choice = { ids: ['a'], other: null }
  const files = [{ id: 'f', name: 'cv.pdf', size: 0 }]
  const address = { line1: '', line2: '', city: '', region: '', postal: '', country: '' }

  it.each([
    ...['short_text', 'long_text', 'email', 'url', 'phone', 'date', 'time'].map((type) => [type, 'x']),
    ...['number', 'scale', 'rating', 'nps', 'slider'].map((type) => [type, 1.5]),
    ...['single_choice', 'multiple_choice', 'dropdown', 'yes_no', 'ranking'].map((type) => [type, choice]),
    ['grid_single', { r: 'c' }],
    ['grid_multiple', { r: ['c'] }],
    ['file', files],
    ['signature', []],
    ['address', address],
  ] as [string, unknown][])('[RESP-07] of type %s must be like %j', (type, value) => {
    expect(refusalOfValue(type, value)).toBe('accepted')
    for (const wrong of [null, true, ['x'], { a: 1 }]) {
      expect(refusalOfValue(type, wrong)).toMatch(/^(?:\.\w+|\[0\])? (?:must be |is not part of a snapshot)/)
    }
  })

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
