import type { Answer, ChoiceValue } from '@formwire/contract'
import { numericBounds, type Question } from './question.ts'

/** Both null when no question of the form has points. */
export interface Score {
  readonly score: number | null
  readonly max_score: number | null
}

function bestPossible(question: Question): number {
  const points = Object.values(question.points ?? {})
  if (question.type !== 'multiple_choice') return Math.max(0, ...points)
  const { max } = numericBounds(question)
  const gains = points.filter((point) => point > 0).sort((a, b) => b - a)
  return gains.slice(0, Math.min(max, gains.length)).reduce((sum, point) => sum + point, 0)
}

const pointsOf = (question: Question, id: string): number =>
  question.points !== undefined && Object.hasOwn(question.points, id) ? (question.points[id] ?? 0) : 0

/**
 * Adds up the points of the chosen options. The maximum includes every question with points, also hidden ones, so that
 * it is the same for all responses of a form. It is never below 0, since questions may be skipped.
 */
export function scoreAnswers(questions: readonly Question[], answers: readonly Answer[]): Score {
  const scored = questions.filter((question) => question.points !== undefined)
  if (scored.length === 0) return { score: null, max_score: null }
  const byId = new Map(answers.map((answer) => [answer.question_id, answer.value]))
  let score = 0
  for (const question of scored) {
    const value = byId.get(question.id) as ChoiceValue | undefined
    for (const id of value?.ids ?? []) score += pointsOf(question, id)
  }
  const best = scored.reduce((sum, question) => sum + bestPossible(question), 0)
  return { score: withoutNoise(score), max_score: withoutNoise(best) }
}

/** Decimal digits that are exact in a sum: 0.1 + 0.2 is 0.3, not 0.30000000000000004. */
const SURE_DIGITS = 15

const withoutNoise = (sum: number): number => Number(sum.toPrecision(SURE_DIGITS))
