import type { Answer, QuestionType } from '@formwire/contract'
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

/** Counts the answers to one question. */
export class QuestionTally {
  readonly #question: Counted
  readonly #removed: boolean
  readonly #options = new Map<string, number>()
  /** Column counts by row. */
  readonly #cells = new Map<string, Map<string, number>>()
  /** Sum of the ranks of each option, from 1. */
  readonly #ranks = new Map<string, number>()
  readonly #numbers: number[] = []
  readonly #latest: { response_id: number; text: string }[] = []
  #answered = 0
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
    else if (this.#question.type === 'ranking') {
      for (const [index, id] of (value as ChoiceLike).ids.entries()) increase(this.#ranks, id, index + 1)
    } else if (isChoice(value)) {
      for (const id of value.ids) increase(this.#options, id)
      if (value.other) this.#others += 1
    } else if (isGrid(this.#question.type)) this.#addGrid(value as Record<string, string | string[]>)
    else if (this.#latest.length < LATEST_MAX && text !== '') {
      this.#latest.push({ response_id: responseId, text: text.slice(0, TEXT_MAX) })
    }
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
    if (type === 'ranking') return { ranks: this.#averageRanks(options ?? namesOf(this.#ranks)) }
    if (isGrid(type)) {
      const shown = columns ?? namesOf(new Map([...this.#cells.values()].flatMap((cells) => [...cells])))
      return {
        rows: (rows ?? namesOf(this.#cells)).map(({ id, label }) => ({
          id,
          label,
          choices: counted(shown, this.#cells.get(id)),
        })),
      }
    }
    if (options || this.#options.size > 0 || type === 'yes_no') {
      const shown = options ?? namesOf(this.#options)
      return { choices: counted(shown, this.#options), ...(this.#others > 0 && { other: this.#others }) }
    }
    if (this.#numbers.length > 0) return this.#ofNumbers()
    return this.#latest.length > 0 ? { latest: this.#latest } : {}
  }

  #ofNumbers(): Partial<QuestionSummary> {
    const { type, min, max } = this.#question
    const numbers = this.#numbers
    const bound = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
    const bounds = { min: bound(min), max: bound(max) }
    return {
      numbers: {
        average: average(numbers) as number,
        median: median(numbers) as number,
        min: numbers.reduce((a, b) => Math.min(a, b)),
        max: numbers.reduce((a, b) => Math.max(a, b)),
        tally: tallyNumbers(numbers, bounds),
      },
      ...(type === 'nps' && { nps: npsOf(numbers) }),
    }
  }

  #addGrid(value: Readonly<Record<string, string | readonly string[]>>): void {
    for (const [row, chosen] of Object.entries(value)) {
      let cells = this.#cells.get(row)
      if (!cells) {
        cells = new Map()
        this.#cells.set(row, cells)
      }
      for (const column of typeof chosen === 'string' ? [chosen] : chosen) increase(cells, column)
    }
  }

  #averageRanks(options: readonly Choice[]): NonNullable<QuestionSummary['ranks']> {
    if (this.#answered === 0) return []
    return options
      .map(({ id, label }) => ({
        id,
        label,
        average: Math.round(((this.#ranks.get(id) ?? 0) / this.#answered) * 100) / 100,
      }))
      .sort((a, b) => a.average - b.average)
  }
}

interface ChoiceLike {
  readonly ids: readonly string[]
  readonly other: string | null
}

const isChoice = (value: unknown): value is ChoiceLike =>
  isObjectOrArray(value) && Array.isArray((value as { ids?: unknown }).ids)

const isGrid = (type: QuestionType): boolean => type === 'grid_single' || type === 'grid_multiple'

function increase(counts: Map<string, number>, id: string, by = 1): void {
  counts.set(id, (counts.get(id) ?? 0) + by)
}

/** Options that the form no longer has are named by their ids. */
const namesOf = (counts: ReadonlyMap<string, unknown>): Choice[] =>
  Array.from(counts.keys(), (id) => ({ id, label: id }))

const counted = (choices: readonly Choice[], counts: ReadonlyMap<string, number> | undefined) =>
  choices.map(({ id, label }) => ({ id, label, count: counts?.get(id) ?? 0 }))

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

/**
 * Returns how many numbers fall on each of a few whole numbers, or else into each of ten equal parts of their range.
 *
 * @param bounds Bounds of the question; those of the numbers where it has none.
 */
function tallyNumbers(
  numbers: readonly number[],
  bounds: { readonly min: number | undefined; readonly max: number | undefined },
): NumberTally[] {
  const least = bounds.min ?? numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const most = bounds.max ?? numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const isWhole = Number.isInteger(least) && Number.isInteger(most) && numbers.every(Number.isInteger)
  if (isWhole && most - least < WHOLE_MAX) {
    const tally = Array.from({ length: most - least + 1 }, (_, index) => bar(least + index, least + index))
    for (const one of numbers) if (tally[one - least]) (tally[one - least] as NumberTally).count += 1
    return tally
  }
  const width = (most - least) / BARS
  const tally = Array.from({ length: BARS }, (_, index) =>
    bar(rounded(least + index * width), rounded(least + (index + 1) * width)),
  )
  for (const one of numbers) {
    const index = Math.min(BARS - 1, Math.max(0, Math.floor((one - least) / width)))
    ;(tally[index] as NumberTally).count += 1
  }
  return tally
}

const bar = (from: number, to: number): NumberTally => ({ from, to, count: 0 })
