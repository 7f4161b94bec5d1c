/** A question of each type, in the order of RESP-07, with an answer to each and how it is written out. */

const options = [
  { id: 'a', label: 'Apple' },
  { id: 'b', label: 'Bean' },
]
const grid = {
  rows: [
    { id: 'r1', label: 'Speed' },
    { id: 'r2', label: 'Price' },
  ],
  columns: [
    { id: 'c1', label: 'Good' },
    { id: 'c2', label: 'Bad' },
  ],
}

const FILES = [
  { id: 'file_1', name: 'cv.pdf', size: 1024 },
  { id: 'file_2', name: 'cover.pdf', size: 7 },
]
const ADDRESS = {
  line1: '1 High Street',
  line2: '',
  city: 'Leeds',
  region: '',
  postal: 'LS1 4AP',
  country: 'United Kingdom',
}
const FIRST = { ids: ['a'], other: null }

/** Type, further parts of the question, value, default text, variant name and text where they differ. */
const ROWS = [
  ['short_text', {}, 'Ada', 'Ada', 'text'],
  ['long_text', {}, 'Long', 'Long', 'long_text'],
  ['email', {}, 'ada@example.com', 'ada@example.com', 'email_address'],
  ['url', {}, 'https://example.com/', 'https://example.com/', 'website'],
  ['phone', {}, '+441134960000', '+441134960000', 'phone_number'],
  ['date', {}, '2026-03-01', '2026-03-01', 'calendar_date'],
  ['time', {}, '09:30', '09:30', 'time_of_day'],
  ['number', {}, 1234.5, '1234.5', 'numeric', '1,234.50'],
  ['scale', {}, 7, '7', 'linear_scale', '7.00'],
  ['rating', {}, 4, '4', 'rating', '4.00'],
  ['nps', {}, 10, '10', 'net_promoter_score', '10.00'],
  ['slider', {}, 2.125, '2.125', 'range', '2.125'],
  ['single_choice', { options }, FIRST, 'Apple', 'radio'],
  ['multiple_choice', { options }, { ids: ['a', 'b'], other: null }, 'Apple, Bean', 'checkboxes'],
  ['dropdown', { options }, FIRST, 'Apple', 'select'],
  ['yes_no', {}, { ids: ['yes'], other: null }, 'Yes', 'boolean'],
  ['ranking', { options }, { ids: ['b', 'a'], other: null }, 'Bean, Apple', 'rank_order'],
  [
    'grid_single',
    grid,
    { r1: 'c1', r2: 'c2' },
    'Speed: Good; Price: Bad',
    'matrix_single',
    'Speed = Good\nPrice = Bad',
  ],
  ['grid_multiple', grid, { r1: ['c1', 'c2'] }, 'Speed: Good, Bad', 'matrix_multiple', 'Speed = Good + Bad'],
  ['file', {}, FILES, 'cv.pdf, cover.pdf', 'file_upload', 'cv.pdf (1024 bytes)\ncover.pdf (7 bytes)'],
  ['signature', {}, FILES.slice(1), 'cover.pdf', 'signature_image', 'cover.pdf (7 bytes)'],
  [
    'address',
    {},
    ADDRESS,
    '1 High Street, Leeds, LS1 4AP, United Kingdom',
    'postal_address',
    '1 High Street\nLeeds\nLS1 4AP\nUnited Kingdom',
  ],
] as const

export const everyQuestion = ROWS.map(([type, parts]) => ({ id: type, type, title: `A ${type}`, ...parts }))

export const everyAnswer = ROWS.map(([type, , value]) => ({ question_id: type, value }))

/** The types under `questionTypeNames: variant`. */
export const TYPE_NAMES = ROWS.map(([, , , , name]) => name)

/** The texts under each value of `answerTexts`. */
export const TEXTS = {
  default: ROWS.map(([, , , text]) => text),
  variant: ROWS.map(([, , , text, , variant = text]) => variant),
}
