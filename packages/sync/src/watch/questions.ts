import type { Answer } from '@formwire/contract'

/** A change of a form's questions, as its responses show it. */
export type QuestionChange =
  | { kind: 'question_added'; questionId: string; type: string }
  | { kind: 'question_changed'; questionId: string; type: string; before: string }
  | { kind: 'question_removed'; questionId: string; type: string }

/** What is known of a question. */
interface Question {
  type: string
  /** Responses that answered it since it appeared, of all up to the latest one that did. */
  answered: number
  of: number
  /** Responses since then, none of which answered it. */
  missed: number
  isGone: boolean
}

/** Questions of one form at most, as many as a view has columns. */
const MAX_QUESTIONS = 1_000

/** Responses without an answer before a question counts as removed, at least. */
const MIN_MISSED = 10

/** How likely so many responses in a row skip a question that still exists. A question that is seldom answered is missed for longer. */
const MAX_CHANCE = 1e-6

/** The questions of one form. The service does not list questions: they are known from answers (RESP-06). */
export class KnownQuestions {
  /** Sort key of the newest response that was looked at. */
  at: string
  readonly #questions: Map<string, Question>

  /** @param text what {@link toString} returned earlier */
  constructor(text?: string) {
    const [at, ...known] = (text === undefined ? [''] : JSON.parse(text)) as [string, ...Stored[]]
    this.at = at
    this.#questions = new Map(
      known.map(([id, type, answered, of, missed, isGone]) => [
        id,
        { type, answered, of, missed, isGone: isGone === 1 },
      ]),
    )
  }

  /** Whether no question was ever answered, so that the next answers are not new ones. */
  get isEmpty(): boolean {
    return this.#questions.size === 0
  }

  /** Adds the answers of a response. Returns what has changed. */
  add(answers: readonly Answer[]): QuestionChange[] {
    const changes: QuestionChange[] = []
    const given = new Set<string>()
    for (const { question_id: questionId, type } of answers.filter(isAnswer)) {
      if (given.has(questionId)) continue
      given.add(questionId)
      const known = this.#questions.get(questionId)
      if (known && !known.isGone) {
        if (known.type !== type)
          changes.push({ kind: 'question_changed', questionId, type, before: known.type })
        Object.assign(known, {
          type,
          answered: known.answered + 1,
          of: known.of + known.missed + 1,
          missed: 0,
        })
      } else if (known || this.#questions.size < MAX_QUESTIONS) {
        this.#questions.set(questionId, { type, answered: 1, of: 1, missed: 0, isGone: false })
        changes.push({ kind: 'question_added', questionId, type })
      }
    }
    for (const [questionId, question] of this.#questions) {
      if (given.has(questionId) || question.isGone) continue
      question.missed += 1
      if (!isRemoved(question)) continue
      question.isGone = true
      changes.push({ kind: 'question_removed', questionId, type: question.type })
    }
    return changes
  }

  toString(): string {
    const known = [...this.#questions].map(
      ([id, { type, answered, of, missed, isGone }]): Stored => [
        id,
        type,
        answered,
        of,
        missed,
        isGone ? 1 : 0,
      ],
    )
    return JSON.stringify([this.at, ...known])
  }
}

type Stored = [id: string, type: string, answered: number, of: number, missed: number, isGone: 0 | 1]

function isRemoved({ answered, of, missed }: Question): boolean {
  return missed >= MIN_MISSED && (1 - answered / (of + 1)) ** missed < MAX_CHANCE
}

/** Rows may hold what an unexpected service wrote. */
function isAnswer(answer: Answer): boolean {
  return typeof answer?.question_id === 'string' && typeof answer.type === 'string'
}
