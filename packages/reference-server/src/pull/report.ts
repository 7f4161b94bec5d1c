import type { Unknown } from './lines.ts'
import type { Read } from './read.ts'
import type { PullSettings } from './settings.ts'

/** What a pull did with a question. */
export interface QuestionReport {
  id: string
  /** Name of the type in answers. */
  type: string
  /** `replaced`: by pseudonyms, or by values that are drawn and may be the same by chance. `kept`: all are, but for other texts of choices and irregular dates and times, which are replaced unless the question is kept by choice. */
  action: 'kept' | 'replaced'
  /** Number of answers. */
  values: number
}

/** What a pull did with a form. */
export interface FormReport {
  id: string
  title: string
  /** Number of submitted responses. */
  responses: number
  questions: QuestionReport[]
  /** What the seed does not have, or has otherwise. */
  unknown: (Unknown & { values: number })[]
}

/** What a pull did. */
export interface PullReport {
  forms: FormReport[]
  scrubbed: boolean
}

export function reportOf({ forms, scrubber }: Read, { scrub }: PullSettings): PullReport {
  return {
    forms: forms.map(({ form: { id, title }, tally, count }) => ({
      id,
      title,
      responses: count,
      questions: [...tally.questions().values()].map(({ question, type, tally: { count: values } }) => ({
        id: question.id,
        type,
        action: scrubber.treatment(id, question.id, type) === 'kept' ? 'kept' : 'replaced',
        values,
      })),
      unknown: [...tally.unknown],
    })),
    scrubbed: scrub !== false,
  }
}
