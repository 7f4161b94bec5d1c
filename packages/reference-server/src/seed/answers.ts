import type { AnswerValues, ChoiceValue, KnownQuestionType, UploadedFile } from '@formwire/contract'
import type { SeedFaker } from './faker.ts'
import type { SeedAnswer, SeedQuestion } from './format.ts'

/** The person who fills in a response, with the same name and email in every answer. */
export interface Respondent {
  firstName: string
  lastName: string
  email: string
}

/** Generates a value of the question's type that the public form accepts. */
export function makeValue(
  faker: SeedFaker,
  question: SeedQuestion,
  respondent: Respondent,
): AnswerValues[KnownQuestionType] {
  return VALUES[question.type](faker, question, respondent)
}

/** Returns whether earlier answers make the question visible (RESP-06). */
export function isShown(question: SeedQuestion, answers: readonly SeedAnswer[]): boolean {
  const rule = question.show_if
  if (!rule) return true
  const value = answers.find((answer) => answer.question_id === rule.question_id)?.value
  if (value === undefined) return false
  const ids = (value as Partial<ChoiceValue>).ids
  return Array.isArray(ids) ? ids.includes(String(rule.equals)) : value === rule.equals
}

type MakeValue = (
  faker: SeedFaker,
  question: SeedQuestion,
  respondent: Respondent,
) => AnswerValues[KnownQuestionType]

const VALUES: Record<KnownQuestionType, MakeValue> = {
  short_text: (faker, question, who) =>
    fitted(
      question,
      /name/i.test(question.title) ? `${who.firstName} ${who.lastName}` : faker.commerce.productName(),
    ),
  long_text: (faker, question) => fitted(question, sentences(faker)),
  email: (_faker, _question, who) => who.email,
  url: (_faker, _question, who) =>
    `https://${who.lastName.toLowerCase().replace(/[^a-z]/g, '')}.example.com/`,
  phone: (faker) => `+1 555 ${faker.string.numeric(3)} ${faker.string.numeric(4)}`,
  date: (faker, question) => dateIn(faker, question),
  time: (faker, question) => timeIn(faker, question),
  number: (faker, question) => numberIn(faker, question, 1, 12),
  scale: (faker, question) => leaningHigh(faker, bound(question.min) ?? 1, bound(question.max) ?? 10),
  rating: (faker, question) => leaningHigh(faker, bound(question.min) ?? 1, bound(question.max) ?? 5),
  nps: (faker, question) => leaningHigh(faker, bound(question.min) ?? 0, bound(question.max) ?? 10),
  slider: (faker, question) => numberIn(faker, question, 1, 10),
  single_choice: (faker, question) => oneOf(faker, question),
  multiple_choice: (faker, question) => ({
    ids: someIds(faker, question.options ?? [], question),
    other: null,
  }),
  dropdown: (faker, question) => oneOf(faker, question),
  yes_no: (faker) => ({ ids: [faker.datatype.boolean(0.7) ? 'yes' : 'no'], other: null }),
  ranking: (faker, question) => ({
    ids: faker.helpers.shuffle((question.options ?? []).map((option) => option.id)),
    other: null,
  }),
  grid_single: (faker, question) =>
    Object.fromEntries(
      (question.rows ?? []).map((row) => [row.id, faker.helpers.arrayElement(question.columns ?? []).id]),
    ),
  grid_multiple: (faker, question) =>
    Object.fromEntries((question.rows ?? []).map((row) => [row.id, someIds(faker, question.columns ?? [])])),
  file: (faker, question, who) =>
    Array.from({ length: Math.max(1, bound(question.min) ?? 1) }, () =>
      upload(faker, `${who.lastName}-${faker.system.commonFileName('pdf')}`),
    ),
  signature: (faker) => [upload(faker, 'signature.png')],
  address: (faker) => ({
    line1: faker.location.streetAddress(),
    line2: faker.datatype.boolean(0.2) ? faker.location.secondaryAddress() : '',
    city: faker.location.city(),
    region: faker.location.state(),
    postal: faker.location.zipCode('#####'),
    country: 'United States',
  }),
}

const REMARKS = [
  'Everyone was kind and patient.',
  'The room was quieter than I expected.',
  'Check-in took longer than it should.',
  'We will be back next year.',
  'Breakfast could start a little earlier.',
  'Loved the view over the harbour.',
  'The directions in the confirmation were spot on.',
  'A few more vegetarian choices would be welcome.',
  'The booking page showed me the price twice.',
  'Please keep the wood stove going!',
] as const

const sentences = (faker: SeedFaker): string =>
  faker.helpers.arrayElements(REMARKS, { min: 1, max: 3 }).join(' ')

type Bounds = Pick<SeedQuestion, 'min' | 'max'>

const bound = (value: number | string | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined

/** Fits a text to the minimum and maximum length of the question. */
function fitted({ min, max }: Bounds, text: string): string {
  const characters = [...text].slice(0, bound(max))
  return characters.join('').padEnd(bound(min) ?? 0, '.')
}

/** Returns an integer within the bounds if there is one. `low` and `high` are the default bounds. */
function numberIn(faker: SeedFaker, question: Bounds, low: number, high: number): number {
  const min = bound(question.min) ?? Math.min(low, bound(question.max) ?? low)
  const max = bound(question.max) ?? Math.max(high, min)
  if (Math.ceil(min) > Math.floor(max)) return min
  return faker.number.int({ min: Math.ceil(min), max: Math.floor(max) })
}

const two = (number: number): string => String(number).padStart(2, '0')

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const LAST_DATE = Date.UTC(9999, 11, 31)

/** Returns a day within the bounds. Without bounds: days 1 to 28 of any month of 2026. */
function dateIn(faker: SeedFaker, { min, max }: Bounds): string {
  if (min === undefined && max === undefined) {
    return `2026-${two(faker.number.int({ min: 1, max: 12 }))}-${two(faker.number.int({ min: 1, max: 28 }))}`
  }
  const [first, last] = [min, max].map((day) => (day === undefined ? undefined : Date.parse(String(day))))
  const from = first ?? Math.max((last as number) - YEAR_MS, Date.parse('0001-01-01'))
  const to = last ?? Math.min(from + YEAR_MS, LAST_DATE)
  const day = faker.number.int({ min: from / DAY_MS, max: to / DAY_MS })
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** Returns a minute within the bounds. Without bounds: a multiple of five minutes between 08:00 and 21:55. */
function timeIn(faker: SeedFaker, { min, max }: Bounds): string {
  if (min === undefined && max === undefined) {
    return `${two(faker.number.int({ min: 8, max: 21 }))}:${two(faker.number.int({ max: 11 }) * 5)}`
  }
  const minutesOf = (time: number | string): number => {
    const [hours, minutes] = String(time).split(':').map(Number)
    return Number(hours) * 60 + Number(minutes)
  }
  const minute = faker.number.int({ min: minutesOf(min ?? '00:00'), max: minutesOf(max ?? '23:59') })
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}

/** The higher of two random values, because most respondents are satisfied. */
const leaningHigh = (faker: SeedFaker, min: number, max: number): number =>
  Math.max(faker.number.int({ min, max }), faker.number.int({ min, max }))

/** Picks one option, or sometimes an "other" text if the question allows it. */
function oneOf(faker: SeedFaker, question: SeedQuestion): ChoiceValue {
  if (question.allow_other && faker.datatype.boolean(0.1)) {
    return { ids: [], other: faker.helpers.arrayElement(['A friend told me', 'Passed by', 'Local radio']) }
  }
  return { ids: [faker.helpers.arrayElement(question.options ?? []).id], other: null }
}

/** Picks at least one id, within the bounds of the question, in the order of the options. */
function someIds(faker: SeedFaker, options: readonly { id: string }[], question: Bounds = {}): string[] {
  const min = Math.min(Math.max(1, bound(question.min) ?? 1), options.length)
  const max = Math.min(bound(question.max) ?? Math.max(min, options.length - 1), options.length)
  const picked = new Set(faker.helpers.arrayElements(options, { min, max }))
  return options.filter((option) => picked.has(option)).map((option) => option.id)
}

const upload = (faker: SeedFaker, name: string): UploadedFile => ({
  id: `file_${faker.string.alphanumeric(16)}`,
  name,
  size: faker.number.int({ min: 12_000, max: 900_000 }),
})
