import type { KnownQuestionType } from '@formwire/contract'
import type { Unknown } from './lines.ts'
import { loadableOwner } from './owner.ts'
import type { Read } from './read.ts'
import { canDraw } from './scrub/draw.ts'
import type { Treatment } from './scrub/scrubber.ts'
import type { TypeTally } from './tally.ts'

/** What a pull did with a question. */
export interface QuestionReport {
  id: string
  /** Name of the type in answers. */
  type: string
  /**
   * `kept`: all are, but for other texts of choices and irregular dates and times, which are replaced unless the question is kept by choice; also if all
   * answers have one value, so that none could be drawn.
   */
  action: 'kept' | 'replaced'
  /** They were replaced at random by values that were given to the question, or are between them, and that may be the same by chance. Otherwise by pseudonyms. */
  drawn?: true
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
  /** What the seed does not have, or has otherwise. That of the first form begins with the user and the workspace of the key. */
  unknown: (Unknown & { values: number })[]
}

/** What a pull did. */
export interface PullReport {
  forms: FormReport[]
  scrubbed: boolean
}

export function reportOf({ forms, owner, scrubber, settings }: Read): PullReport {
  const { scrub, keep, replace } = settings
  const ofOwner = loadableOwner(owner).unknown.map((one) => ({ ...one, values: 1 }))
  return {
    forms: forms.map(({ form: { id, title }, tally, count }, index) => ({
      id,
      title,
      responses: count,
      questions: [...tally.questions().values()].map(({ question, type, tally: ofType }) => ({
        id: question.id,
        type,
        ...actionOf(scrubber.treatment(id, question.id, type), question.type, ofType),
        values: ofType.count,
      })),
      unknown: [
        ...(index === 0 ? ofOwner : []),
        ...tally.unknown,
        // Questions to keep or replace, which may be misspelt.
        ...[...keep, ...replace].flatMap((name) => {
          const question = name.slice(id.length + 1)
          if (!name.startsWith(`${id}.`) || tally.questions().has(question)) return []
          return [{ id: question, why: 'unanswered' as const, values: 0 }]
        }),
      ],
    })),
    scrubbed: scrub !== false,
  }
}

function actionOf(
  treatment: Treatment,
  type: KnownQuestionType,
  tally: TypeTally,
): Pick<QuestionReport, 'action' | 'drawn'> {
  if (treatment !== 'drawn') return { action: treatment }
  return canDraw(type, tally) ? { action: 'replaced', drawn: true } : { action: 'kept' }
}
