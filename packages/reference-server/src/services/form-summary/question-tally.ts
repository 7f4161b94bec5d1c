import type {
  Answer,
  ChoiceValue,
  GridMultipleValue,
  GridSingleValue,
  QuestionType,
} from '@formwire/contract'
import type { NumberTally, QuestionSummary } from '@formwire/contract/control'
import { isObjectOrArray } from '@formwire/internal/json'
import type { Choice, Question } from '../../domain/question/index.ts'

const LATEST_MAX = 5
const TEXT_MAX = 500
/** From these scores on, an answer to an NPS question is a promoter's, and a passive one's. */
const PROMOTER_FROM = 9
const PASSIVE_FROM = 7

/** The members of a question that matter here. One that was removed from its form has only the first three. */
type Counted = Pick<Question, 'id' | 'title'> &
  Partial<Pick<Question, 'options' | 'rows' | 'columns' | 'min' | 'max'>> & { readonly type: QuestionType }

type Counts = ReadonlyMap<string, number>

/** Counts the answers to one question. */
export class QuestionTally {
  readonly #question: Counted
  readonly #removed: boolean
  /** How often each option was chosen, or the sum of its ranks; for each row of a grid, how often each column was. */
  readonly #counts = new Map<string, Map<string, number>>()
  readonly #numbers: number[] = []
  readonly #latest: { response_id: number; text: string }[] = []
  #answered = 0
  /** Answers with options, which are all that a ranking is the average of. */
  #choices = 0
  #others = 0
  draftsEnded = 0

  constructor(question: Counted, removed = false) {
    this.#question = question
    this.#removed = removed
  }

  /** Adds the answer of a response that is older than those before. */
  add({ value, text }: Answer, responseId: number): void {
    this.#answered += 1
    if (typeof value === 'number') this.#numbers.push(value)
    else if (isChoice(value)) {
      this.#choices += 1
      for (const [index, id] of value.ids.entries())
        this.#count('', id, this.#question.type === 'ranking' ? index + 1 : 1)
      if (value.other) this.#others += 1
    } else if (isGrid(this.#question.type)) {
      for (const [row, chosen] of Object.entries(value as GridSingleValue | GridMultipleValue))
        for (const column of [chosen].flat()) this.#count(row, column)
    } else if (this.#latest.length < LATEST_MAX && text !== '') {
      this.#latest.push({ response_id: responseId, text: text.slice(0, TEXT_MAX) })
    }
  }

  #count(row: string, id: string, by = 1): void {
    const counts = this.#counts.get(row) ?? new Map<string, number>()
    this.#counts.set(row, counts.set(id, (counts.get(id) ?? 0) + by))
  }

  view(): QuestionSummary {
    const { id, title, type } = this.#question
    return {
      question_id: id,
      title,
      type,
      answered: this.#answered,
      drafts_ended: this.draftsEnded,
      removed: this.#removed,
      ...this.#details(),
    }
  }

  #details(): Partial<QuestionSummary> {
    const { type, options, rows, columns } = this.#question
    const counts = this.#counts.get('')
    if (type === 'ranking') return { ranks: averageRanks(options, counts, this.#choices) }
    if (isGrid(type)) {
      const shown = columns ?? named(Array.from(this.#counts.values(), (row) => [...row.keys()]).flat())
      return {
        rows: (rows ?? named(this.#counts.keys())).map(({ id, label }) => ({
          id,
          label,
          choices: counted(shown, this.#counts.get(id)),
        })),
      }
    }
    if (options || counts || type === 'yes_no')
      return {
        choices: counted(options ?? named(counts?.keys()), counts),
        ...(this.#others > 0 && { other: this.#others }),
      }
    const numbers = this.#numbers
    if (numbers.length > 0)
      return { numbers: ofNumbers(numbers, this.#question), ...(type === 'nps' && { nps: npsOf(numbers) }) }
    return this.#latest.length > 0 ? { latest: this.#latest } : {}
  }
}

const isChoice = (value: unknown): value is ChoiceValue =>
  isObjectOrArray(value) && Array.isArray((value as { ids?: unknown }).ids)

const isGrid = (type: QuestionType): boolean => type === 'grid_single' || type === 'grid_multiple'

/** Options that the form no longer has are named by their ids. */
const named = (ids: Iterable<string> = []): Choice[] => Array.from(new Set(ids), (id) => ({ id, label: id }))

const counted = (choices: readonly Choice[], counts?: Counts) =>
  choices.map(({ id, label }) => ({ id, label, count: counts?.get(id) ?? 0 }))

const averageRanks = (options: readonly Choice[] | undefined, ranks: Counts | undefined, answers: number) =>
  (ranks ? (options ?? named(ranks.keys())) : [])
    .map(({ id, label }) => ({ id, label, average: rounded((ranks?.get(id) ?? 0) / answers) }))
    .sort((a, b) => a.average - b.average)

function ofNumbers(
  numbers: readonly number[],
  { min, max }: Counted,
): NonNullable<QuestionSummary['numbers']> {
  const least = numbers.reduce((a, b) => Math.min(a, b))
  const most = numbers.reduce((a, b) => Math.max(a, b))
  // The bounds of the question; those of the numbers where it has none.
  const from = typeof min === 'number' ? min : least
  const to = typeof max === 'number' ? max : most
  return {
    average: average(numbers) as number,
    median: median(numbers) as number,
    min: least,
    max: most,
    tally: tallyNumbers(numbers, from, to),
  }
}

function npsOf(numbers: readonly number[]): NonNullable<QuestionSummary['nps']> {
  const promoters = numbers.filter((score) => score >= PROMOTER_FROM).length
  const passives = numbers.filter((score) => score >= PASSIVE_FROM && score < PROMOTER_FROM).length
  const detractors = numbers.length - promoters - passives
  const score = Math.round(((promoters - detractors) / numbers.length) * 100)
  return { score, promoters, passives, detractors }
}

/** Bars of a tally of numbers that are not few whole ones. */
const BARS = 10
/** Most whole numbers with a bar each. */
const WHOLE_MAX = 21

/** Returns the average, rounded to two decimals, or `null` without numbers. */
export const average = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : rounded(numbers.reduce((sum, one) => sum + one, 0) / numbers.length)

/** Returns the median, or `null` without numbers. */
export function median(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null
  const sorted = Float64Array.from(numbers).sort()
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : rounded(((sorted[middle - 1] as number) + upper) / 2)
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/** Returns how many numbers fall on each of a few whole numbers, or else into each of ten equal parts of their range. */
function tallyNumbers(numbers: readonly number[], from: number, to: number): NumberTally[] {
  const isWhole = Number.isInteger(from) && Number.isInteger(to) && numbers.every(Number.isInteger)
  if (isWhole && to - from < WHOLE_MAX) {
    const tally = Array.from({ length: to - from + 1 }, (_, index) => bar(from + index, from + index))
    for (const one of numbers) if (tally[one - from]) (tally[one - from] as NumberTally).count += 1
    return tally
  }
  // Of a single number that is not whole, any.
  const width = (to - from) / BARS || 1
  const tally = Array.from({ length: BARS }, (_, index) =>
    bar(rounded(from + index * width), rounded(from + (index + 1) * width)),
  )
  for (const one of numbers) {
    const index = Math.min(BARS - 1, Math.max(0, Math.floor((one - from) / width)))
    ;(tally[index] as NumberTally).count += 1
  }
  return tally
}

const bar = (from: number, to: number): NumberTally => ({ from, to, count: 0 })
