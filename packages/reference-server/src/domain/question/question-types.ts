import type { KnownQuestionType } from '@formwire/contract'

/**
 * What `min` and `max` bound: a number, the length of a text in Unicode code points, the number of options or files, or a
 * date or time.
 */
export type BoundKind = 'value' | 'integer' | 'length' | 'count' | 'date' | 'time'

/** The parts of a definition that a question type uses. Other parts are ignored. */
export interface QuestionTypeParts {
  readonly bounds?: BoundKind
  /** Bounds if the definition has none. */
  readonly defaultBounds?: { readonly min: number; readonly max: number }
  /** `given`: listed in the definition. `yes_no`: fixed by the type. */
  readonly options?: 'given' | 'yes_no'
  readonly other?: true
  readonly points?: true
  readonly grid?: true
}

const TEXT: QuestionTypeParts = { bounds: 'length' }
const CHOICE: QuestionTypeParts = { options: 'given', other: true, points: true }
const GRID: QuestionTypeParts = { grid: true }

/** The 22 question types (RESP-07) and the parts of their definitions. */
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

/** The options of every `yes_no` question. */
export const YES_NO_OPTIONS = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
] as const
