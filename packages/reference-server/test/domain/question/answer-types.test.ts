import type { KnownQuestionType } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { answerTo, questionOf, questionsOf, submit } from './helpers.ts'

const refused = expect.stringMatching(/^refused: /)
const cv = { id: 'file_1', name: 'cv.pdf', size: 10 }
const letter = { id: 'file_2', name: 'letter.pdf', size: 20 }
const one = (id: string) => ({ ids: [id], other: null })

/** A value that is accepted, its text, and what is kept of it where that differs. */
type Accepted = readonly [value: unknown, text: string, kept?: unknown]

interface Row {
  readonly type: KnownQuestionType
  readonly parts?: object
  readonly accepts?: readonly Accepted[]
  /** Values that are refused, with any message. */
  readonly refuses?: readonly unknown[]
  /** Values with the message of their refusal, or `skipped`. */
  readonly says?: readonly (readonly [value: unknown, message: string])[]
}

const asWritten = (...values: (string | number)[]): Accepted[] => values.map((value) => [value, `${value}`])

const ANY_TEXT = asWritten(
  ' padded ',
  'two\nlines',
  '\u0000',
  '\ud83d',
  '👩‍👩‍👧',
  '<script>',
  'x'.repeat(100_000),
)

/** Shapes that no choice has. */
const NO_CHOICE = [
  'a',
  ['a'],
  1,
  {},
  { ids: 'a' },
  { ids: { 0: 'a' } },
  { ids: [1] },
  { ids: [null] },
  { ids: [['a']] },
  { ids: ['__proto__'] },
  { ids: ['constructor'] },
]

const ONE_OPTION: Omit<Row, 'type'> = {
  accepts: [
    [one('b'), 'Banana'],
    [{ ids: ['b'] }, 'Banana', one('b')],
  ],
  says: [
    [{ ids: ['a', 'b'] }, 'Choose one option.'],
    [{ ids: ['x'] }, 'Choose from the options of the question.'],
    [{ ids: [], other: null }, 'skipped'],
  ],
  refuses: NO_CHOICE,
}

/** A number sent as text. */
const AS_TEXT = ['5', '+5', ' 5 ', '-.5e3']

const wholeNumbers = (type: KnownQuestionType, min: number, max: number): Row => ({
  type,
  accepts: asWritten(min, max),
  says: [min - 1, max + 1, min + 0.5].map((value) => [value, `Enter a whole number from ${min} to ${max}.`]),
})

const ROWS: readonly Row[] = [
  { type: 'short_text', accepts: ANY_TEXT },
  { type: 'long_text', accepts: ANY_TEXT },
  {
    // Code points, not UTF-16 units.
    type: 'short_text',
    parts: { min: 2, max: 3 },
    accepts: asWritten('👍👍👍'),
    says: [
      ['👍', 'Enter at least 2 characters.'],
      ['abcd', 'Enter at most 3 characters.'],
    ],
  },
  {
    type: 'email',
    accepts: asWritten(
      'ann@example.com',
      'a.b+c@sub.example.co.uk',
      "o'neil@example.org",
      'ünï@exämple.de',
      'x@127.0.0.1',
    ),
    refuses: [
      ...['ann', 'ann@', '@example.com', 'ann@host', 'a b@example.com', ' a@example.com', 'a@b@c.com'],
      ...['a..b@example.com', '.a@example.com', 'a@-b.com', 'a@ex_ample.com', 'a@example..com'],
      ...['a@example.com.', 'a\u0000@example.com', `${'a'.repeat(250)}@example.com`],
    ],
  },
  {
    type: 'url',
    accepts: asWritten(
      'https://example.com',
      'http://example.com:8080/a?b=c#d',
      'HTTPS://EXAMPLE.COM/ü',
      `https://www.${'a'.repeat(63)}:65535/`,
    ),
    refuses: [
      ...['example.com', 'javascript:alert(1)', 'ftp://example.com', 'https://', 'https:// a.com'],
      ...['https://a.com/\n', 'https://exa mple.com', 'http://[::1', 'data:text/html,x', 'https:example.com'],
      ...[`https://${'a'.repeat(70)}.com`, `https://${'a.'.repeat(130)}com`],
    ],
  },
  {
    type: 'phone',
    accepts: asWritten(
      ...['+44 20 7946 0000', '(555) 010-9999', '555 0100 ext. 12', '555 0100 ext 12', '555 0100 x12'],
      ...['110', '030/123456', '1'.repeat(20)],
    ),
    refuses: ['call me', 'call 555 0100', '12', '+', '1'.repeat(21), '٠١٢٣٤٥', '1'.repeat(100_000)],
  },
  {
    type: 'date',
    accepts: asWritten('2026-11-21', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'),
    refuses: [
      ...['2023-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01'],
      ...['2026-1-1', '21.11.2026', '2026-11-21T00:00', '２０２６-11-21', '+02026-11-21'],
    ],
  },
  {
    type: 'date',
    parts: { min: '2026-01-01', max: '2026-12-31' },
    accepts: asWritten('2026-01-01'),
    says: [['2025-12-31', 'Choose 2026-01-01 or later.']],
  },
  {
    type: 'time',
    accepts: asWritten('00:00', '09:30', '23:59'),
    refuses: ['24:00', '12:60', '9:30', '09:30:00', '9am', '-1:00'],
  },
  { type: 'time', parts: { max: '18:00' }, says: [['18:01', 'Choose 18:00 or earlier.']] },
  {
    type: 'number',
    accepts: [...asWritten(12.5, -3), [1e21, '1e+21'], [-0, '0', 0]],
    refuses: [Number.POSITIVE_INFINITY, Number.NaN, true, [5], { toString: 5, valueOf: 5 }, ''],
    says: AS_TEXT.map((text) => [text, 'Enter a number. Send it as a number, not as text.']),
  },
  wholeNumbers('scale', 1, 10),
  wholeNumbers('rating', 1, 5),
  wholeNumbers('nps', 0, 10),
  {
    type: 'rating',
    says: AS_TEXT.map((text) => [
      text,
      'Enter a whole number from 1 to 5. Send it as a number, not as text.',
    ]),
  },
  { type: 'slider', accepts: asWritten(2.5), says: [[11, 'Enter a number from 1 to 10.']] },
  { type: 'slider', parts: { min: 16, max: 26 }, accepts: asWritten(26) },
  { type: 'single_choice', ...ONE_OPTION },
  { type: 'dropdown', ...ONE_OPTION },
  {
    type: 'multiple_choice',
    parts: { min: 2, max: 2 },
    accepts: [[{ ids: ['c', 'a'], other: null }, 'Cherry, Apple']],
    says: [
      [{ ids: ['a', 'a'] }, 'Choose each option once.'],
      [{ ids: ['a'] }, 'Choose at least 2 options.'],
      [{ ids: ['a', 'b', 'c'] }, 'Choose at most 2 options.'],
    ],
  },
  { type: 'multiple_choice', refuses: [...NO_CHOICE, { ids: ['a'], other: 'Fig' }] },
  {
    type: 'multiple_choice',
    parts: { allow_other: true },
    accepts: [
      [{ ids: ['a'], other: 'Fig' }, 'Apple, Fig'],
      [{ ids: [], other: 'Fig' }, 'Fig'],
      [{ ids: ['a'], other: '  ' }, 'Apple', one('a')],
    ],
    refuses: [{ ids: ['a'], other: 5 }],
  },
  {
    type: 'single_choice',
    parts: { allow_other: true },
    says: [[{ ids: ['a'], other: 'Fig' }, 'Choose one option.']],
  },
  {
    type: 'yes_no',
    accepts: [
      [one('yes'), 'Yes'],
      [one('no'), 'No'],
    ],
    refuses: [...NO_CHOICE, one('maybe'), { ids: ['yes', 'no'] }, { ids: [], other: 'x' }, 'yes', true],
  },
  {
    type: 'ranking',
    accepts: [[{ ids: ['c', 'a', 'b'], other: null }, 'Cherry, Apple, Banana']],
    says: [
      [{ ids: ['c', 'a'] }, 'Rank every option, each in a different place.'],
      [{ ids: ['c', 'a', 'a'] }, 'Choose each option once.'],
    ],
    refuses: [...NO_CHOICE, { ids: ['c', 'a', 'b'], other: 'x' }],
  },
  {
    type: 'grid_single',
    accepts: [
      [{ r2: 'c1', r1: 'c2' }, 'Row one: Bad; Row two: Good'],
      [{ r1: 'c1' }, 'Row one: Good'],
    ],
    refuses: [
      ...[{ r9: 'c1' }, { r1: 'c9' }, { r1: ['c1'] }, { r1: 1 }, [], 'r1'],
      JSON.parse('{"__proto__":"c1"}'),
    ],
    says: [
      [{}, 'skipped'],
      [{ r1: '', r2: null }, 'skipped'],
    ],
  },
  {
    type: 'grid_single',
    parts: { required: true },
    accepts: [[{ r1: 'c1', r2: 'c2' }, 'Row one: Good; Row two: Bad']],
    says: [[{ r1: 'c1' }, 'Answer every row.']],
  },
  {
    type: 'grid_multiple',
    accepts: [[{ r1: ['c2', 'c1'], r2: [] }, 'Row one: Bad, Good', { r1: ['c2', 'c1'] }]],
    refuses: [
      ...[{ r1: 'c1' }, { r1: '' }, { r1: 5 }, { r1: { 0: 'c1' } }, { r1: ['c1', 'c1'] }],
      ...[{ r1: ['c9'] }, { r1: [['c1']] }, { r9: ['c1'] }],
    ],
  },
  {
    type: 'grid_multiple',
    parts: { required: true },
    says: [[{ r1: ['c1'], r2: [] }, 'Answer every row.']],
  },
  {
    type: 'file',
    accepts: [
      [[cv, letter], 'cv.pdf, letter.pdf'],
      [cv, 'cv.pdf', [cv]],
    ],
    says: [
      [[cv, cv], 'Add each file once.'],
      [[], 'skipped'],
    ],
    refuses: [{}, 'file_1', [null], ['file_1'], [{ id: 1 }], [{}]],
  },
  { type: 'file', parts: { max: 1 }, says: [[[cv, letter], 'Add at most 1 file.']] },
  { type: 'file', parts: { min: 2 }, says: [[[cv], 'Add at least 2 files.']] },
  { type: 'signature', accepts: [[[cv], 'cv.pdf']], says: [[[cv, letter], 'Add one signature.']] },
  {
    type: 'address',
    accepts: [
      [
        { line1: '1 Main St', city: 'Springfield', country: 'USA' },
        '1 Main St, Springfield, USA',
        { line1: '1 Main St', line2: '', city: 'Springfield', region: '', postal: '', country: 'USA' },
      ],
    ],
    says: [[{ line1: '', line2: ' ' }, 'skipped']],
    refuses: [{ street: 'x' }, { line1: 5 }, 'x', [], JSON.parse('{"__proto__":"x","line1":"y"}')],
  },
]

describe('an answer', () => {
  it.each(ROWS.map((row) => [row.type, row.parts ?? {}, row] as const))(
    '[RESP-07] [ERR-03] of the type %s %j is accepted or refused by its value',
    (type, parts, { accepts = [], refuses = [], says = [] }) => {
      const question = questionOf(type, parts)
      for (const [value, text, kept = value] of accepts)
        expect(answerTo(question, value)).toEqual({ value: kept, text })
      for (const value of refuses) expect(answerTo(question, value), JSON.stringify(value)).toEqual(refused)
      for (const [value, message] of says)
        expect(answerTo(question, value)).toBe(message === 'skipped' ? message : `refused: ${message}`)
    },
  )

  it.each(['short_text', 'long_text', 'email', 'url', 'phone', 'date', 'time'] as const)(
    '[RESP-06] of blanks to a %s is a skipped one',
    (type) => {
      expect([answerTo(questionOf(type), ''), answerTo(questionOf(type), '  \n')]).toEqual([
        'skipped',
        'skipped',
      ])
    },
  )

  it('[RESP-07] [RESP-09] may be incomplete in a draft: some options of a ranking, some rows of a grid', () => {
    expect(answerTo(questionOf('ranking'), { ids: ['c'] }, true)).toMatchObject({ text: 'Cherry' })
    const grid = questionOf('grid_single', { required: true })
    expect(answerTo(grid, { r1: 'c1' }, true)).toMatchObject({ text: 'Row one: Good' })
  })

  it('[RESP-07] writes the text of a grid in form order, whatever the ids of its rows', () => {
    const rows = ['10', 'r', '2'].map((id) => ({ id, label: `Row ${id}` }))
    const columns = [{ id: 'x', label: 'X' }]
    const text = (type: 'grid_single' | 'grid_multiple', value: unknown) =>
      answerTo(questionOf(type, { rows, columns }), value)
    expect(text('grid_single', { 2: 'x', 10: 'x', r: 'x' })).toMatchObject({
      text: 'Row 10: X; Row r: X; Row 2: X',
    })
    expect(text('grid_multiple', { 2: ['x'], 10: ['x'] })).toMatchObject({ text: 'Row 10: X; Row 2: X' })
  })

  it('[RESP-07] names the uploads that a response keeps', () => {
    const questions = questionsOf(
      { id: 'cv', type: 'file', title: 'CV' },
      { id: 'sign', type: 'signature', title: 'Signature' },
      { id: 'name', type: 'short_text', title: 'Name' },
    )
    expect(submit(questions, { cv: [cv], sign: [letter], name: 'Ann' })).toMatchObject({
      value: { fileIds: ['file_1', 'file_2'] },
    })
  })
})
