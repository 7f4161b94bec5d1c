import type { FormResponse } from '@formwire/contract'
import { QuestionColumns } from '../export/columns.ts'
import { type Failure, failed } from '../failure.ts'
import { byCodeUnits, type Shape, shapeOf, union } from './shape.ts'

/** The answers to one question that have one question type. */
export interface AnswerModel {
  /** Name of the question type. */
  readonly type: string
  readonly value: Shape
}

/** One question of a form. */
export interface QuestionModel {
  readonly id: string
  /** Title in the newest response. */
  readonly title: string
  /** Whether every response has an answer. */
  readonly required: boolean
  /** One model per question type: more than one if the type of the question was changed. Sorted by type. */
  readonly answers: readonly AnswerModel[]
}

/** The questions of a form, as far as its responses show them. */
export interface FormModel {
  readonly id: string
  /** Dashboard title. */
  readonly title: string
  /** Number of responses that were read. */
  readonly responses: number
  /** Whether older responses were left out. */
  readonly isSample: boolean
  /** Whether the questions were read from a reference server as well. */
  readonly isExact: boolean
  /** In the order of the form. */
  readonly questions: readonly QuestionModel[]
}

/** What is counted of a question while responses are read. */
interface Tally {
  title: string
  /** Number of responses with an answer. */
  count: number
  /** Number of the last response with an answer. */
  last: number
  types: Map<string, Shape>
}

/** Most questions of one form; far beyond what a form can have. */
const MAX_QUESTIONS = 5_000
/** Most question types of one question. */
const MAX_TYPES = 50

/** Infers the questions of a form from its responses. Add the responses newest first. */
export class QuestionTally {
  readonly #order = new QuestionColumns()
  readonly #tallies = new Map<string, Tally>()
  #responses = 0

  /** Number of responses so far. */
  get responses(): number {
    return this.#responses
  }

  /** Adds a response. @throws Failure exit 1 for more questions than a form can have */
  add(response: Pick<FormResponse, 'answers'>): void {
    const { answers } = response
    this.#responses += 1
    if (answers.some(({ question_id: id }) => !this.#tallies.has(id))) this.#place(response)
    for (const { question_id: id, type, value } of answers) {
      const tally = this.#tallies.get(id)
      if (!tally) continue
      if (tally.last !== this.#responses) tally.count += 1
      tally.last = this.#responses
      const known = tally.types.get(type)
      const shape = shapeOf(value, type)
      tally.types.set(type, known ? union(known, shape) : shape)
      if (tally.types.size > MAX_TYPES) throw tooMany(`question types of question "${id}"`, MAX_TYPES)
    }
  }

  /** Adds new questions, in the order of the form (RESP-06). */
  #place(response: Pick<FormResponse, 'answers'>): void {
    this.#order.add(response)
    for (const { id, title } of this.#order.all) {
      if (!this.#tallies.has(id)) this.#tallies.set(id, { title, count: 0, last: 0, types: new Map() })
    }
    if (this.#order.all.length > MAX_QUESTIONS) throw tooMany('questions', MAX_QUESTIONS)
  }

  /** Returns the questions, in the order of the form. */
  questions(): QuestionModel[] {
    return this.#order.all.flatMap(({ id }) => {
      const tally = this.#tallies.get(id)
      if (!tally) return []
      const { title, count, types } = tally
      const answers = [...types]
        .map(([type, value]) => ({ type, value }))
        .sort((one, two) => byCodeUnits(one.type, two.type))
      return { id, title, required: count === this.#responses, answers }
    })
  }
}

const tooMany = (what: string, limit: number): Failure =>
  failed(
    'too_many_questions',
    `more than ${limit} ${what}`,
    ({ smallerSample }) => `read fewer responses ${smallerSample}`,
  )
