import type { KnownQuestionType } from '@formwire/contract'

/** One option of a choice or ranking, one row or one column of a grid. */
export interface Choice {
  readonly id: string
  readonly label: string
}

/** Shows a question only while an earlier one has this answer. */
export interface ShowIf {
  /** An earlier question of the same form. */
  readonly question_id: string
  /** For choices an option id, true when it is among `ids`; for all other types the whole value. */
  readonly equals: unknown
}

/**
 * A question as the builder keeps it: read by `readQuestions`, defaults filled in, fields that its type does not use
 * left out. The names are the wire names of `POST /_app/forms`.
 */
export interface Question {
  /** Unique within the form. */
  readonly id: string
  readonly type: KnownQuestionType
  readonly title: string
  readonly required: boolean
  /** Choices and rankings. */
  readonly options?: readonly Choice[]
  /** Choices: whether a text of one's own may take the place of an option, or stand beside them. */
  readonly allow_other?: boolean
  /** Points of an option by its id; options without an entry give none. */
  readonly points?: Readonly<Record<string, number>>
  /** Grids. */
  readonly rows?: readonly Choice[]
  /** Grids. */
  readonly columns?: readonly Choice[]
  /** See `BoundKind` for what is bounded. */
  readonly min?: number | string
  readonly max?: number | string
  readonly show_if?: ShowIf
}

/** An answer as it is submitted: the value has the wire shape of the question's type, or is still to be refused. */
export interface SubmittedAnswer {
  readonly question_id: string
  readonly value: unknown
}

/** The numeric bounds of a question whose bounds are numbers; open ends are infinite. */
export function numericBounds(question: Question): { min: number; max: number } {
  const { min, max } = question
  return {
    min: typeof min === 'number' ? min : Number.NEGATIVE_INFINITY,
    max: typeof max === 'number' ? max : Number.POSITIVE_INFINITY,
  }
}
