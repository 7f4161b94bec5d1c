import type { ChoiceValue, KnownQuestionType } from '@formwire/contract'
import { MergedOrder } from '@formwire/internal/merged-order'
import { QUESTION_TYPE_PARTS } from '../domain/question/question-types.ts'
import type { SeedChoice, SeedQuestion } from '../seed/format.ts'
import { isKnownType } from '../seed/recorded.ts'
import { USABLE_ID } from './convert.ts'
import { gridTexts, Labels, labelsText } from './labels.ts'
import type { PulledAnswer, PulledResponse, Unknown } from './lines.ts'
import { isIrregular } from './scrub/irregular.ts'

/** Questions of a form, and types of a question, at most. */
const MAX_QUESTIONS = 1000
const MAX_TYPES = 50
const MAX_ROWS = 500
const MAX_COLUMNS = 100
const MAX_TITLE = 2000
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
  readonly options = new Labels()
  readonly rows = new Labels()
  readonly columns = new Labels()
  /** Options in the order of answers with several. */
  readonly #order = new MergedOrder()

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
    return this.#order.size === 0 ? this.options.ids : this.#order.all
  }

  #addChoice(type: KnownQuestionType, value: ChoiceValue, text: string | undefined): void {
    if (value.other !== null) this.hasOther = true
    this.options.add(value.ids, text === undefined ? undefined : labelsText(value, text))
    if (type === 'multiple_choice' && this.#order.size < MAX_COLUMNS) this.#order.add(value.ids)
  }

  #addGrid(value: Record<string, string | string[]>, text: string | undefined): void {
    const texts = text === undefined ? undefined : gridTexts(value, text)
    if (texts === undefined) {
      this.rows.add(Object.keys(value))
      this.columns.add(Object.values(value).flat())
    } else
      for (const { row, rowText, columns, columnsText } of texts) {
        this.rows.add([row], rowText)
        this.columns.add(columns, columnsText)
      }
  }
}

/** What responses show of a question. */
interface Tally {
  title: string
  /** The type of the newest answer. */
  type: string
  /** Whether only drafts have shown it. */
  isDraft: boolean
  types: Map<string, TypeTally>
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
  readonly #order = new MergedOrder()
  readonly #tallies = new Map<string, Tally>()
  readonly #unknown = new Map<string, Unknown & { values: number }>()
  #finished: ReadonlyMap<string, PulledQuestion> | undefined

  /** @param unknown what the form itself has */
  constructor(unknown: readonly Unknown[] = []) {
    this.addUnknown(unknown)
  }

  add(row: PulledResponse): void {
    const isDraft = row.status === 'in_progress'
    this.#order.add(row.answers.map(({ question_id: id }) => id))
    for (const answer of row.answers) {
      const { question_id: id, title, type } = answer
      let tally = this.#tallies.get(id)
      if (!tally) {
        tally = { title, type, isDraft, types: new Map() }
        this.#tallies.set(id, tally)
      } else if (tally.isDraft && !isDraft) Object.assign(tally, { title, type, isDraft })
      let ofType = tally.types.get(type)
      if (!ofType) {
        if (tally.types.size === MAX_TYPES) continue
        ofType = new TypeTally()
        tally.types.set(type, ofType)
      }
      ofType.add(type, answer)
    }
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
    for (const id of this.#order.all) {
      const { title, type, types } = this.#tallies.get(id) as Tally
      for (const [other, { count }] of types) {
        if (other !== type) this.addUnknown([{ id, why: 'type_changed' }], count)
      }
      const tally = types.get(type) as TypeTally
      if (questions.size === MAX_QUESTIONS) this.addUnknown([{ id, why: 'too_many' }], tally.count)
      else questions.set(id, { question: questionOf(id, title, type, tally), type, tally })
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
    title: title.trim() === '' ? id : title.slice(0, MAX_TITLE),
    ...(options === 'given' && { options: choicesOf(tally.optionIds(), tally.options) }),
    ...(other && tally.hasOther && { allow_other: true }),
    ...(grid && {
      rows: choicesOf(tally.rows.ids, tally.rows).slice(0, MAX_ROWS),
      columns: choicesOf(tally.columns.ids, tally.columns).slice(0, MAX_COLUMNS),
    }),
    ...bounds,
  }
}

/** A question must have at least one option, which answers with nothing but another text do not show. */
function choicesOf(ids: readonly string[], labels: Labels): SeedChoice[] {
  const usable = ids.filter((id) => USABLE_ID.test(id)).map((id) => ({ id, label: labels.of(id) }))
  return usable.length > 0 ? usable : [{ id: 'unknown', label: 'unknown' }]
}
