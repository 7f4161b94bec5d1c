import type { Question, SubmittedAnswer } from '@formwire/contract/control'

/** A question, as the public form returns it. */
export type PublishedQuestion = Omit<Question, 'points'>

/**
 * Returns answers that a form accepts. Without `draw` they are always the same, for a command that submits them: one for each
 * required question that these answers show. With `draw` there is one for every question that is shown, and they vary.
 *
 * @param draw Returns a number from 0 to 1, without 1.
 * @returns `undefined` if a question requires a file upload, which a single request cannot do.
 */
export function sampleAnswers(
  questions: readonly PublishedQuestion[],
  draw?: () => number,
): SubmittedAnswer[] | undefined {
  const answers = new Map<string, unknown>()
  for (const question of questions) {
    if (!(question.required || draw) || !isShown(question, answers)) continue
    const value = sampleValue(question, draw ?? (() => 0))
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

const NAMES = ['Example', 'Ada Byron', 'Grace Murray', 'Alan Turner', 'Katherine Coleman', 'Edward Snow']
const SENTENCES = [
  'Everything worked as described, and the answer came within a minute.',
  'It took two tries, but then it was fine.',
  'Good, though the confirmation arrived a day late.',
  'Please keep the early time slot.',
]
const STREETS = ['Main Street', 'High Street', 'Station Road', 'Mill Lane']
const CITIES = ['Springfield', 'Riverside', 'Ashford', 'Milton']
const ADDRESS = { line2: '', region: '', postal: '12345', country: 'USA' }

function sampleValue(question: PublishedQuestion, draw: () => number): unknown {
  const { type, options = [], rows = [], columns = [], min, max } = question
  const isBounded = min !== undefined || max !== undefined
  const whole = (low: number, high: number) => low + Math.floor(draw() * (high - low + 1))
  const picked = <Item>(items: readonly Item[]) => items[whole(0, items.length - 1)]
  /** Returns a date or a time, as a text, if it is within the bounds, and otherwise a bound. */
  const bounded = (text: string) =>
    (min === undefined || text >= String(min)) && (max === undefined || text <= String(max))
      ? text
      : (min ?? max)
  /** Returns some options, from any of them on. */
  const chosen = (amount: number) => {
    const start = whole(0, Math.max(0, options.length - 1))
    const ids = [...options.slice(start), ...options.slice(0, start)].slice(0, amount).map(({ id }) => id)
    return { ids, other: ids.length === 0 ? 'Example' : null }
  }
  switch (type) {
    case 'short_text':
      return fitted(picked(NAMES) ?? '', question)
    case 'long_text':
      return fitted(picked(SENTENCES) ?? '', question)
    case 'email':
      return isBounded
        ? fitted('@example.com', question, 'a')
        : `${picked(NAMES)?.replace(' ', '.').toLowerCase()}@example.com`
    case 'url':
      return fitted('https://example.com/', question)
    case 'phone':
      return '+44 20 7946 0000'
    case 'date':
      return bounded(new Date(Date.UTC(2026, 0, whole(1, 365))).toISOString().slice(0, 10))
    case 'time':
      return bounded(`${String(whole(8, 19)).padStart(2, '0')}:${picked(['00', '15', '30', '45'])}`)
    case 'number':
    case 'slider': {
      const low = Math.ceil(Number(min ?? (isBounded ? Number(max) - 9 : 1)))
      const high = Math.floor(Number(max ?? (isBounded ? Number(min) + 9 : 100)))
      // There may be no whole number between the bounds.
      return low > high ? (min ?? max) : whole(low, high)
    }
    case 'nps':
    case 'scale':
    case 'rating':
      // More people are content than not.
      return Number(max) - Math.floor(draw() ** 2 * (Number(max) - Number(min) + 1))
    case 'single_choice':
    case 'dropdown':
    case 'yes_no':
      return chosen(1)
    case 'multiple_choice': {
      const least = Math.max(1, Number(min ?? 1))
      return chosen(whole(least, Math.max(least, Math.min(options.length, Number(max ?? options.length)))))
    }
    case 'ranking':
      return chosen(options.length)
    case 'grid_single':
      return Object.fromEntries(rows.map(({ id }) => [id, picked(columns)?.id]))
    case 'grid_multiple':
      return Object.fromEntries(rows.map(({ id }) => [id, columns.slice(0, 1).map((column) => column.id)]))
    case 'address':
      return { ...ADDRESS, line1: `${whole(1, 99)} ${picked(STREETS)}`, city: picked(CITIES) }
    case 'file':
    case 'signature':
      return undefined
  }
}

/** Truncates or pads a text to its bounds, by repeating `head` before it if there is one. */
function fitted(text: string, { min, max }: PublishedQuestion, head = ''): string {
  const least = Number(min ?? 0)
  const most = Number(max ?? Number.POSITIVE_INFINITY)
  if (head !== '') return head.repeat(Math.max(1, Math.min(least, most) - text.length)) + text
  return text.padEnd(least, 'x').slice(0, most)
}
