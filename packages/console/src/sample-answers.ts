import type { Question, SubmittedAnswer } from '@formwire/contract/control'

/** A question, as the public form returns it. */
export type PublishedQuestion = Omit<Question, 'points'>

/**
 * Returns the minimum of answers that a form accepts, for a command that submits them: one for each required question that
 * these answers show.
 *
 * @returns `undefined` if a question requires a file upload, which a single command cannot do.
 */
export function sampleAnswers(questions: readonly PublishedQuestion[]): SubmittedAnswer[] | undefined {
  const answers = new Map<string, unknown>()
  for (const question of questions) {
    if (!question.required || !isShown(question, answers)) continue
    const value = sampleValue(question)
    if (value === undefined) return undefined
    answers.set(question.id, value)
  }
  return Array.from(answers, ([question_id, value]) => ({ question_id, value }))
}

function isShown({ show_if: condition }: PublishedQuestion, answers: ReadonlyMap<string, unknown>): boolean {
  if (!condition) return true
  const value = answers.get(condition.question_id)
  const ids = (value as { ids?: unknown[] } | undefined)?.ids
  return ids ? ids.includes(condition.equals) : value !== undefined && value === condition.equals
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
      return {
        line1: '1 Main Street',
        line2: '',
        city: 'Springfield',
        region: '',
        postal: '12345',
        country: 'USA',
      }
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

function chosen({ options = [] }: PublishedQuestion, count: number): { ids: string[]; other: string | null } {
  const ids = options.slice(0, count).map(({ id }) => id)
  return { ids, other: ids.length === 0 ? 'Example' : null }
}
