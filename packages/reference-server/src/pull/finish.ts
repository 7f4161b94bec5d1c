import { parseInstant } from '../domain/instant.ts'
import type { Question } from '../domain/question/index.ts'
import { YES_NO_OPTIONS } from '../domain/question/question-types.ts'
import { valueText } from '../domain/question/validate-answers.ts'
import type { Seed, SeedAnswer, SeedForm, SeedQuestion, SeedResponse } from '../seed/format.ts'
import { isKnownType } from '../seed/recorded.ts'
import { FORM_TIMES, instantText, seedInstant } from './instants.ts'
import type { PulledAnswer, PulledForm, PulledResponse } from './lines.ts'
import { loadableOwner } from './owner.ts'
import type { Read } from './read.ts'
import { drawn } from './scrub/draw.ts'
import type { ReadForm } from './state.ts'
import type { PulledQuestion } from './tally.ts'

/** The members of a seed before its forms. */
type SeedHead = Pick<Required<Seed>, 'version' | 'source' | 'users'> & { workspace: object }

/** Turns what was read into a seed, once the questions of all forms are known. */
export class Finisher {
  readonly #read: Read

  constructor(read: Read) {
    this.#read = read
  }

  head(): SeedHead {
    const { owner } = loadableOwner(this.#read.owner)
    const { baseUrl, forms, scrub, limit, drafts, keep, shiftMs, now } = this.#read.settings
    const since = this.#since()
    return {
      version: 2,
      source: {
        base_url: baseUrl,
        pulled_at: seedInstant(now() + shiftMs),
        ...(shiftMs !== 0 && { shifted: true }),
        ...(forms === 'all' && { all: true }),
        scrubbed: scrub,
        ...(since !== undefined && { since }),
        ...(Number.isFinite(limit) && { limit }),
        ...(drafts && { drafts }),
        ...(keep.size > 0 && { kept: [...keep] }),
      },
      users: [owner.user],
      workspace: owner.workspace,
    }
  }

  #since(): string | undefined {
    const { since, shiftMs } = this.#read.settings
    const instant = shiftMs === 0 || since === undefined ? undefined : parseInstant(since)
    return instant === undefined ? since : seedInstant(instant + shiftMs)
  }

  /** The forms, least recently updated first: of two that were updated at the same instant, the later one is listed first (FORM-01). */
  forms(): readonly ReadForm[] {
    return this.#read.forms.toReversed()
  }

  /** Returns a form without its responses. */
  form({ form, tally, webhooks, counted, count: responses }: ReadForm): SeedForm {
    const { response_count: before, unknown: _, ...facts } = form
    const isWhole = this.#read.settings.since === undefined && responses < this.#read.settings.limit
    // Responses may have come or gone since the form was counted: those that were read are the count, unless the service counts otherwise.
    const countsOtherwise = counted === before
    const count = isWhole && !countsOtherwise ? responses : before
    return {
      ...this.#shifted(facts, FORM_TIMES),
      ...(count !== responses && { response_count: count }),
      questions: [...tally.questions().values()].map(({ question }) => question),
      ...(webhooks.length > 0 && {
        webhooks: webhooks.map((webhook) => this.#shifted(webhook, ['created_at'])),
      }),
    }
  }

  /** Yields the responses and drafts of a form, oldest first. */
  async *responses(form: ReadForm): AsyncGenerator<SeedResponse[]> {
    const dates = new DraftDates()
    for await (const rows of this.#oldestFirst(form.drafts)) {
      const drafts = rows.filter(({ id }) => !form.submittedDrafts.has(id))
      yield drafts.map((row) => this.#response(form, dates.dated(row)))
    }
    for await (const rows of this.#oldestFirst(form.rows)) yield rows.map((row) => this.#response(form, row))
  }

  async *#oldestFirst(handles: readonly number[]): AsyncGenerator<PulledResponse[]> {
    for (const handle of handles.toReversed()) {
      const line = await this.#read.store.read(handle)
      if ('rows' in line) yield line.rows.toReversed()
    }
  }

  #response(form: ReadForm, row: PulledResponse): SeedResponse {
    const questions = form.tally.questions()
    const answers = row.answers.flatMap((answer) => {
      const question = questions.get(answer.question_id)
      // Of a question whose type was changed, only answers of the newest type are kept.
      return question && question.type === answer.type ? [this.#answer(form.form, row, answer, question)] : []
    })
    const finished = { ...this.#shifted(row, ROW_TIMES), answers }
    if (this.#read.settings.scrub === 'strict' && typeof row.score === 'number')
      finished.score = this.#read.pseudonyms
        .random('score', form.form.id, String(row.id))
        .below(Math.min(MAX_SCORE, Math.max(0, Math.floor(row.max_score ?? 0))) + 1)
    return finished
  }

  #answer(
    form: PulledForm,
    row: PulledResponse,
    answer: PulledAnswer,
    { question, tally }: PulledQuestion,
  ): SeedAnswer {
    const { question_id, title, type } = answer
    let { value, text } = answer
    if (isKnownType(type) && this.#read.scrubber.treatment(form.id, question_id, type) === 'drawn') {
      const random = this.#read.pseudonyms.random('drawn', form.id, question_id, String(row.id))
      value = drawn(type, value, tally, random)
      text = undefined
    }
    return {
      question_id,
      value,
      text: text ?? textOf(question, value),
      ...(title !== question.title && { title }),
      ...(type !== question.type && { type }),
    }
  }

  #shifted<Item extends object>(item: Item, members: readonly (keyof Item)[]): Item {
    const { shiftMs } = this.#read.settings
    if (shiftMs === 0) return item
    const moved = { ...item }
    for (const name of members) {
      const instant = item[name]
      if (typeof instant === 'string')
        moved[name] = instantText(instant, shiftMs) as Item[keyof Item] & string
    }
    return moved
  }
}

/** The text of an answer that was changed, as the reference server writes it. */
function textOf(question: SeedQuestion, value: SeedAnswer['value']): string {
  const options = question.type === 'yes_no' ? YES_NO_OPTIONS : question.options
  return valueText({ ...question, options } as Question, value, 'default')
}

/** Largest score that is drawn. */
const MAX_SCORE = 2 ** 32 - 2

const ROW_TIMES = ['started_at', 'submitted_at'] as const

/**
 * Dates drafts whose service does not say when they were last saved: at their start plus their duration, which is in whole seconds, and in
 * the same second not before the draft that was saved before them. One that was saved while the list was read is the first here.
 */
class DraftDates {
  #before = Number.NEGATIVE_INFINITY

  /** Call oldest first. */
  dated(draft: PulledResponse): PulledResponse {
    const startedAt = Date.parse(draft.started_at ?? '')
    const known = Date.parse(draft.submitted_at ?? '')
    const savedAt = Number.isNaN(known) ? startedAt + (draft.duration_sec ?? 0) * 1000 : known
    if (Number.isNaN(savedAt)) return draft
    const isSameSecond = this.#before - savedAt < 1000
    this.#before = isSameSecond ? Math.max(this.#before, savedAt) : savedAt
    return { ...draft, submitted_at: seedInstant(this.#before) }
  }
}
