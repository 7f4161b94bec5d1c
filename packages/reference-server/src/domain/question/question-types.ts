import type { KnownQuestionType } from '@formwire/contract'

/**
 * What `min` and `max` bound: the number itself, the length of a text in Unicode code points, how many options or files
 * are taken, or the earliest and latest date or time.
 */
export type BoundKind = 'value' | 'integer' | 'length' | 'count' | 'date' | 'time'

/** Which parts of a definition a question type uses. Parts it does not use are left out without an error. */
export interface QuestionTypeParts {
  readonly bounds?: BoundKind
  /** Bounds when the definition gives none. */
  readonly defaultBounds?: { readonly min: number; readonly max: number }
  /** `given`: the definition lists them. `yes_no`: the type brings its own. */
  readonly options?: 'given' | 'yes_no'
  readonly other?: true
  readonly points?: true
  readonly grid?: true
}

const TEXT: QuestionTypeParts = { bounds: 'length' }
const CHOICE: QuestionTypeParts = { options: 'given', other: true, points: true }
const GRID: QuestionTypeParts = { grid: true }

/** The 22 question types (RESP-07) and what a definition of each holds. */
export const QUESTION_TYPE_PARTS: Readonly<Record<KnownQuestionType, QuestionTypeParts>> = {
  short_text: TEXT,
  long_text: TEXT,
  email: TEXT,
  url: TEXT,
  phone: TEXT,
  date: { bounds: 'date' },
  time: { bounds: 'time' },
  number: { bounds: 'value' },
  scale: { bounds: 'integer', defaultBounds: { min: 1, max: 10 } },
  rating: { bounds: 'integer', defaultBounds: { min: 1, max: 5 } },
  nps: { bounds: 'integer', defaultBounds: { min: 0, max: 10 } },
  slider: { bounds: 'value', defaultBounds: { min: 1, max: 10 } },
  single_choice: CHOICE,
  multiple_choice: { ...CHOICE, bounds: 'count' },
  dropdown: CHOICE,
  yes_no: { options: 'yes_no', points: true },
  ranking: { options: 'given' },
  grid_single: GRID,
  grid_multiple: GRID,
  file: { bounds: 'count' },
  signature: {},
  address: {},
}

/** The options that every `yes_no` question has by itself. */
export const YES_NO_OPTIONS = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
] as const
