import type { FormResponse } from '@formwire/contract'
import type { QuestionModel } from '../../types/model.ts'
import { byCodeUnits, shapeOf } from '../../types/shape.ts'
import { digitsOf, idOf, markedText, shapeOfText, wordOf } from '../untrusted.ts'
import { SCALES } from './response-view.ts'

/** Options that are listed of a question. */
const MAX_OPTIONS = 50
/** Ids that are counted of a question; a form has far fewer. */
const MAX_COUNTED = 1_000

interface Range {
  min: number
  max: number
}

/** What has a range: a number on a scale, digits of a typed number, which may be personal, and lengths. */
type Measure = 'number' | 'digits' | 'characters' | 'files'

/** What is counted of one question. */
interface Counts {
  answered: number
  /** Number of the last response with an answer. */
  last: number
  ids: Map<string, number>
  /** Answers with an "other" text. */
  other: number
  ranges: Partial<Record<Measure, Range>>
}

const noCounts = (): Counts => ({ answered: 0, last: 0, ids: new Map(), other: 0, ranges: {} })

/** Counts the answers of responses: how many, how often an id was chosen, and ranges. It keeps no text. */
export class AnswerCounts {
  readonly #questions = new Map<string, Counts>()
  #responses = 0

  add({ answers }: Pick<FormResponse, 'answers'>): void {
    this.#responses += 1
    for (const { question_id: id, type, value } of answers) {
      const counts = this.#questions.get(id) ?? noCounts()
      this.#questions.set(id, counts)
      if (counts.last !== this.#responses) counts.answered += 1
      counts.last = this.#responses
      count(counts, value, type)
    }
  }

  /** Returns what is known of a question: its model, and the counts. */
  summary({ id, title, required, answers }: QuestionModel) {
    const { answered, ids, other, ranges } = this.#questions.get(id) ?? noCounts()
    const variants = answers.flatMap(({ value }) => value)
    const listed = variants.flatMap((variant) => ('options' in variant ? (variant.options ?? []) : []))
    const options = [...new Set([...listed, ...ids.keys()])]
      .map((option) => ({ id: idOf(option, shapeOfText), count: ids.get(option) ?? 0 }))
      .sort((one, two) => two.count - one.count)
    const rows = variants.flatMap((variant) =>
      'rows' in variant ? variant.rows.map(({ name }) => name) : [],
    )
    return {
      id: wordOf(id),
      title: markedText(title),
      types: answers.map(({ type }) => wordOf(type)),
      values: [...new Set(variants.map(({ kind }) => kind))].join(' | '),
      answered,
      empty: this.#responses - answered,
      required,
      ...ranges,
      ...(options.length > 0 && { options: options.slice(0, MAX_OPTIONS) }),
      ...(options.length > MAX_OPTIONS && { more_options: options.length - MAX_OPTIONS }),
      ...(other > 0 && { other }),
      ...(rows.length > 0 && {
        rows: rows
          .sort(byCodeUnits)
          .slice(0, MAX_OPTIONS)
          .map((row) => idOf(row, shapeOfText)),
      }),
    }
  }
}

function count(counts: Counts, value: unknown, type: string): void {
  const include = (measure: Measure, size: number): void => {
    const { min, max } = counts.ranges[measure] ?? { min: size, max: size }
    counts.ranges[measure] = { min: Math.min(min, size), max: Math.max(max, size) }
  }
  switch (shapeOf(value, type)[0]?.kind) {
    case 'number':
      if (SCALES.has(type)) include('number', value as number)
      else include('digits', digitsOf(value as number))
      break
    case 'string':
      include('characters', (value as string).length)
      break
    case 'files':
      include('files', (value as unknown[]).length)
      break
    case 'choice': {
      const { ids, other } = value as { ids: string[]; other: string | null }
      if (other !== null) counts.other += 1
      countIds(counts.ids, ids)
      break
    }
    case 'grid_single':
    case 'grid_multiple':
      countIds(counts.ids, Object.values(value as object).flat())
  }
}

function countIds(counts: Map<string, number>, ids: readonly string[]): void {
  for (const id of ids)
    if (counts.has(id) || counts.size < MAX_COUNTED) counts.set(id, (counts.get(id) ?? 0) + 1)
}
