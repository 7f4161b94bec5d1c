import type { Question, SubmittedAnswer } from '@formwire/contract/control'

/** A question, as the public form returns it. */
export type PublishedQuestion = Omit<Question, 'points'>

type Bound = PublishedQuestion['min']

/** Returns a number from 0 to 1, without 1. */
type Draw = () => number

/**
 * Returns answers that a form accepts. Without `draw` they are the minimum, for a command that submits them: one for each
 * required question that these answers show. With `draw` there is one for every question that is shown, and they vary.
 *
 * @returns `undefined` if a question requires a file upload, which a single request cannot do.
 */
export function sampleAnswers(
  questions: readonly PublishedQuestion[],
  draw?: Draw,
): SubmittedAnswer[] | undefined {
  const answers = new Map<string, unknown>()
  for (const question of questions) {
    if (!(question.required || draw) || !isShown(question, answers)) continue
    const value = (draw && drawnValue(question, draw)) ?? sampleValue(question)
    if (value !== undefined) answers.set(question.id, value)
    else if (question.required) return undefined
  }
  return Array.from(answers, ([question_id, value]) => ({ question_id, value }))
}

function isShown({ show_if: condition }: PublishedQuestion, answers: ReadonlyMap<string, unknown>): boolean {
  if (!condition) return true
  const value = answers.get(condition.question_id)
  const ids = (value as { ids?: unknown[] } | undefined)?.ids
  return ids ? ids.includes(condition.equals) : value !== undefined && value === condition.equals
}

const SENTENCES = [
  'Everything worked as described, and the answer came within a minute.',
  'It took two tries, but then it was fine.',
  'Good, though the confirmation arrived a day late.',
  'Please keep the early time slot.',
]
const STREETS = ['Main Street', 'High Street', 'Station Road', 'Mill Lane']
const CITIES = ['Springfield', 'Riverside', 'Ashford', 'Milton']
/** First day of the dates that are drawn, and the number of days from it. */
const FIRST_DAY = Date.UTC(2026, 0, 1)
const DAYS = 365
const NAMES = ['Ada Byron', 'Grace Murray', 'Alan Turner', 'Katherine Coleman', 'Edward Snow']

const picked = <Item>(items: readonly Item[], draw: Draw): Item | undefined =>
  items[Math.floor(draw() * items.length)]

/** Returns a varied answer, or `undefined` where the sample is as good. */
function drawnValue(question: PublishedQuestion, draw: Draw): unknown {
  const { type, options = [], rows = [], columns = [], min, max } = question
  const within = (low: number, high: number) => low + Math.floor(draw() * (high - low + 1))
  switch (type) {
    case 'short_text':
      return fitted(picked(NAMES, draw) ?? '', question)
    case 'long_text':
      return fitted(picked(SENTENCES, draw) ?? '', question)
    case 'email':
      return min === undefined && max === undefined
        ? `${picked(NAMES, draw)?.replace(' ', '.').toLowerCase()}@example.com`
        : undefined
    case 'number':
      return min === undefined && max === undefined ? within(1, 100) : numberWithin(min, max, draw)
    case 'slider':
      return numberWithin(min, max, draw)
    case 'date': {
      const date = new Date(FIRST_DAY + within(0, DAYS - 1) * 86_400_000).toISOString().slice(0, 10)
      return isWithin(date, question) ? date : undefined
    }
    case 'time': {
      const time = `${String(within(8, 19)).padStart(2, '0')}:${picked(['00', '15', '30', '45'], draw)}`
      return isWithin(time, question) ? time : undefined
    }
    case 'address':
      return {
        ...SAMPLE_ADDRESS,
        line1: `${within(1, 99)} ${picked(STREETS, draw)}`,
        city: picked(CITIES, draw),
      }
    case 'nps':
    case 'scale':
    case 'rating':
      // More people are content than not.
      return Number(max) - Math.floor(draw() ** 2 * (Number(max) - Number(min) + 1))
    case 'single_choice':
    case 'dropdown':
    case 'yes_no': {
      const option = picked(options, draw)
      return option && { ids: [option.id], other: null }
    }
    case 'multiple_choice': {
      const least = Math.max(1, Number(min ?? 1))
      const most = Math.min(options.length, Number(max ?? options.length))
      const start = within(0, Math.max(0, options.length - 1))
      const turned = [...options.slice(start), ...options.slice(0, start)]
      return least > most
        ? undefined
        : { ids: turned.slice(0, within(least, most)).map(({ id }) => id), other: null }
    }
    case 'ranking': {
      const start = within(0, Math.max(0, options.length - 1))
      return { ids: [...options.slice(start), ...options.slice(0, start)].map(({ id }) => id), other: null }
    }
    case 'grid_single':
      return Object.fromEntries(rows.map(({ id }) => [id, picked(columns, draw)?.id]))
    default:
      return undefined
  }
}

function sampleValue(question: PublishedQuestion): unknown {
  const { type, min, max, rows = [], columns = [] } = question
  switch (type) {
    case 'short_text':
    case 'long_text':
      return fitted('Example', question)
    case 'email':
      return fitted('@example.com', question, 'a')
    case 'url':
      return fitted('https://example.com/', question)
    case 'phone':
      return '+44 20 7946 0000'
    case 'date':
      return min ?? max ?? '2026-01-31'
    case 'time':
      return min ?? max ?? '12:00'
    case 'number':
      return min ?? max ?? 1
    case 'nps':
      return min ?? 0
    case 'scale':
    case 'rating':
    case 'slider':
      return min ?? 1
    case 'single_choice':
    case 'dropdown':
    case 'yes_no':
      return chosen(question, 1)
    case 'multiple_choice':
      return chosen(question, Math.max(1, Number(min ?? 1)))
    case 'ranking':
      return chosen(question, Number.POSITIVE_INFINITY)
    case 'grid_single':
      return Object.fromEntries(rows.map((row) => [row.id, columns[0]?.id]))
    case 'grid_multiple':
      return Object.fromEntries(rows.map((row) => [row.id, columns.slice(0, 1).map(({ id }) => id)]))
    case 'address':
      return SAMPLE_ADDRESS
    case 'file':
    case 'signature':
      return undefined
  }
}

const SAMPLE_ADDRESS = {
  line1: '1 Main Street',
  line2: '',
  city: 'Springfield',
  region: '',
  postal: '12345',
  country: 'USA',
}

/** Returns a whole number from `min` to `max`, or `undefined` if there may be none. */
function numberWithin(min: Bound, max: Bound, draw: Draw): number | undefined {
  const low = Math.ceil(Number(min ?? Number(max) - 9))
  const high = Math.floor(Number(max ?? Number(min) + 9))
  return low > high ? undefined : low + Math.floor(draw() * (high - low + 1))
}

/** Whether a date or a time, as a text, is within the bounds of its question. */
const isWithin = (text: string, { min, max }: PublishedQuestion): boolean =>
  (min === undefined || text >= String(min)) && (max === undefined || text <= String(max))

/** Truncates or pads a text to its bounds, by repeating `head` before it if there is one. */
function fitted(text: string, { min, max }: PublishedQuestion, head = ''): string {
  const least = Number(min ?? 0)
  const most = Number(max ?? Number.POSITIVE_INFINITY)
  if (head !== '') return head.repeat(Math.max(1, Math.min(least, most) - text.length)) + text
  return text.padEnd(least, 'x').slice(0, most)
}

function chosen({ options = [] }: PublishedQuestion, count: number): { ids: string[]; other: string | null } {
  const ids = options.slice(0, count).map(({ id }) => id)
  return { ids, other: ids.length === 0 ? 'Example' : null }
}
