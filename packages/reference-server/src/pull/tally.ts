import type { ChoiceValue, KnownQuestionType } from '@formwire/contract'
import { MergedOrder } from '@formwire/internal/merged-order'
import { pageLength } from '../domain/question/page-length.ts'
import type { Question } from '../domain/question/question.ts'
import { QUESTION_TYPE_PARTS, YES_NO_OPTIONS } from '../domain/question/question-types.ts'
import { QUESTION_LIMITS } from '../domain/question/read-questions.ts'
import type { SeedChoice, SeedQuestion } from '../seed/format.ts'
import { isKnownType } from '../seed/recorded.ts'
import { gridTexts, Labels, labelsText } from './labels.ts'
import type { PulledAnswer, PulledResponse, Unknown } from './lines.ts'
import { PullError } from './pull-error.ts'
import { isIrregular } from './scrub/scrubber.ts'

/** Different ids of questions in the responses of a form, at most: far more than a form has, of which some may be deleted. */
const MAX_QUESTION_IDS = 10 * QUESTION_LIMITS.questions
/** Options that are sorted by the order of answers: comparing more would take too long. Further ones follow in the order in which they are read. */
const MAX_SORTED = 100
/** Different unknown things of a form that are reported, at most. */
const MAX_UNKNOWN = 1000

/** What the answers of one type to a question have. */
export class TypeTally {
  count = 0
  min = Number.POSITIVE_INFINITY
  max = Number.NEGATIVE_INFINITY
  hasOther = false
  /** First and last date or time, which sort as text. */
  first: string | undefined
  last: string | undefined
  readonly options = new Labels(QUESTION_LIMITS.options)
  readonly rows = new Labels(QUESTION_LIMITS.rows)
  readonly columns = new Labels(QUESTION_LIMITS.columns)
  /** Number of answers with an option, row or column that the question cannot have. */
  unusable = 0
  /** Options in the order of answers with several. */
  readonly #order = new MergedOrder()
  #optionIds: readonly string[] | undefined

  add(type: string, { value, text }: Pick<PulledAnswer, 'value' | 'text'>): void {
    this.count += 1
    if (typeof value === 'number') {
      this.min = Math.min(this.min, value)
      this.max = Math.max(this.max, value)
    } else if (type === 'date' || type === 'time') {
      const day = value as string
      if (isIrregular(type, day)) return
      if (this.first === undefined || day < this.first) this.first = day
      if (this.last === undefined || day > this.last) this.last = day
    } else if (isKnownType(type) && QUESTION_TYPE_PARTS[type].options !== undefined) {
      this.#addChoice(type, value as ChoiceValue, text)
    } else if (type === 'grid_single' || type === 'grid_multiple') {
      this.#addGrid(value as Record<string, string | string[]>, text)
    }
  }

  /** Ids of the options, in the order of the form as far as answers show it. */
  optionIds(): readonly string[] {
    this.#optionIds ??= [
      ...new Set([...this.#order.all.filter((id) => this.options.has(id)), ...this.options.ids]),
    ]
    return this.#optionIds
  }

  /** Whether a label was too long to be kept. */
  get hasLongLabel(): boolean {
    return this.options.hasLong || this.rows.hasLong || this.columns.hasLong
  }

  #addChoice(type: KnownQuestionType, value: ChoiceValue, text: string | undefined): void {
    if (value.other !== null) this.hasOther = true
    this.#optionIds = undefined
    const areKept = this.options.add(value.ids, text === undefined ? undefined : labelsText(value, text))
    if (!areKept) this.unusable += 1
    if (type === 'multiple_choice' && this.#order.size < MAX_SORTED)
      this.#order.add(value.ids.slice(0, MAX_SORTED))
  }

  #addGrid(value: Record<string, string | string[]>, text: string | undefined): void {
    const texts = text === undefined ? undefined : gridTexts(value, text)
    let areKept = true
    if (texts === undefined) {
      areKept = this.rows.add(Object.keys(value))
      areKept = this.columns.add(Object.values(value).flat()) && areKept
    } else
      for (const { row, rowText, columns, columnsText } of texts) {
        areKept = this.rows.add([row], rowText) && areKept
        areKept = this.columns.add(columns, columnsText) && areKept
      }
    if (!areKept) this.unusable += 1
  }
}

/** What responses show of a question. */
interface Tally {
  title: string
  /** The type of the newest answer. */
  type: string
  /** Whether only drafts have shown it. */
  isDraft: boolean
  ofType: TypeTally
  /** Number of answers of other types. */
  others: number
}

/** A question of the form, and what its answers have. */
export interface PulledQuestion {
  question: SeedQuestion & { id: string }
  /** Name of the type in answers; another one than that of the question if it is unknown. */
  type: string
  tally: TypeTally
}

/** Infers the questions of a form, which the API does not list, from its responses. Add drafts first, then responses newest first. */
export class FormTally {
  readonly #formId: string
  readonly #order = new MergedOrder()
  readonly #tallies = new Map<string, Tally>()
  readonly #unknown = new Map<string, Unknown & { values: number }>()
  #finished: ReadonlyMap<string, PulledQuestion> | undefined

  /** @param unknown what the form itself has */
  constructor(formId: string, unknown: readonly Unknown[] = []) {
    this.#formId = formId
    this.addUnknown(unknown)
  }

  /** @throws PullError for responses to more questions than can be counted */
  add(row: PulledResponse): void {
    const isDraft = row.status === 'in_progress'
    this.#order.add(row.answers.map(({ question_id: id }) => id))
    for (const answer of row.answers) {
      const { question_id: id, title, type } = answer
      let tally = this.#tallies.get(id)
      if (!tally) {
        this.#refuseMore()
        tally = { title, type, isDraft, ofType: new TypeTally(), others: 0 }
        this.#tallies.set(id, tally)
      } else if (tally.isDraft && !isDraft) {
        if (tally.type !== type) {
          tally.others += tally.ofType.count
          tally.ofType = new TypeTally()
        }
        Object.assign(tally, { title, type, isDraft })
      }
      if (type === tally.type) tally.ofType.add(type, answer)
      else tally.others += 1
    }
  }

  #refuseMore(): void {
    if (this.#tallies.size < MAX_QUESTION_IDS) return
    throw new PullError(
      'invalid_response',
      `form ${this.#formId} has answers to more than ${MAX_QUESTION_IDS} questions; pull fewer of its responses, with a limit or since a time`,
    )
  }

  addUnknown(unknown: readonly Unknown[], values = 1): void {
    for (const { id, why } of unknown) {
      const name = `${why} ${id}`
      const known = this.#unknown.get(name)
      if (known) known.values += values
      else if (this.#unknown.size < MAX_UNKNOWN) this.#unknown.set(name, { id, why, values })
    }
  }

  /** What the seed does not have, with the number of values. */
  get unknown(): readonly (Unknown & { values: number })[] {
    this.questions()
    return [...this.#unknown.values()]
  }

  /** Returns the questions in the order of the form, by id. No more may be added then. */
  questions(): ReadonlyMap<string, PulledQuestion> {
    this.#finished ??= this.#finish()
    return this.#finished
  }

  #finish(): Map<string, PulledQuestion> {
    const questions = new Map<string, PulledQuestion>()
    let page = 0
    for (const id of this.#order.all) {
      const { title, type, ofType: tally, others } = this.#tallies.get(id) as Tally
      if (others > 0) this.addUnknown([{ id, why: 'type_changed' }], others)
      if (tally.unusable > 0) this.addUnknown([{ id, why: 'unusable_choice' }], tally.unusable)
      if (tally.hasLongLabel) this.addUnknown([{ id, why: 'changed' }])
      const question = questionOf(id, title, type, tally)
      const length = pageLength([{ options: YES_NO_OPTIONS, ...question } as Question])
      if (questions.size === QUESTION_LIMITS.questions || page + length > QUESTION_LIMITS.page)
        this.addUnknown([{ id, why: 'too_many' }], tally.count)
      else {
        page += length
        questions.set(id, { question, type, tally })
      }
    }
    return questions
  }
}

function questionOf(
  id: string,
  title: string,
  type: string,
  tally: TypeTally,
): SeedQuestion & { id: string } {
  // The public form needs a type that it has; the answers keep the name of theirs.
  const known = isKnownType(type) ? type : 'long_text'
  const { options, other, grid, defaultBounds } = QUESTION_TYPE_PARTS[known]
  const bounds = defaultBounds && {
    min: Math.max(Number.MIN_SAFE_INTEGER, Math.min(defaultBounds.min, Math.floor(tally.min))),
    max: Math.min(Number.MAX_SAFE_INTEGER, Math.max(defaultBounds.max, Math.ceil(tally.max))),
  }
  return {
    id,
    type: known,
    title: title.trim() === '' ? id : title,
    ...(options === 'given' && { options: choicesOf(tally.optionIds(), tally.options) }),
    ...(other && tally.hasOther && { allow_other: true }),
    ...(grid && {
      rows: choicesOf(tally.rows.ids, tally.rows),
      columns: choicesOf(tally.columns.ids, tally.columns),
    }),
    ...bounds,
  }
}

/** Stands for the options, rows or columns of a question of which no answer has a usable one. */
export const UNKNOWN_CHOICE = 'unknown'

/** A question must have at least one option, which answers with nothing but another text do not show. */
function choicesOf(ids: readonly string[], labels: Labels): SeedChoice[] {
  if (ids.length === 0) return [{ id: UNKNOWN_CHOICE, label: UNKNOWN_CHOICE }]
  return ids.map((id) => ({ id, label: labels.of(id) }))
}
