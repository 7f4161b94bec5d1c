import type { SeedChoice, SeedForm, SeedQuestion } from '../../seed/format.ts'
import type { PulledForm } from '../lines.ts'
import type { FormTally } from '../tally.ts'

/** A difference between a seed and its service now. */
export interface SeedDrift {
  form: string
  /** `null` for the form itself. */
  question: string | null
  kind:
    | 'new_form'
    | 'form_missing'
    | 'form_changed'
    | 'new_question'
    | 'question_missing'
    | 'question_changed'
    | 'type_changed'
    | 'new_option'
    | 'option_missing'
  /** The type, option, row or column, or the member of the form that has changed. */
  what: string | null
}

/** Returns what has changed since a form was pulled: its title and state, and its questions as far as responses show them. */
export function driftOf(seed: SeedForm & { id: string }, form: PulledForm, tally: FormTally): SeedDrift[] {
  const found: SeedDrift[] = []
  const report = (kind: SeedDrift['kind'], question: string | null, what: string | null): void => {
    found.push({ form: seed.id, question, kind, what })
  }
  for (const member of ['title', 'status', 'slug', 'response_limit'] as const) {
    if ((seed[member] ?? null) !== (form[member] ?? null)) report('form_changed', null, member)
  }
  const now = tally.questions()
  const before = new Map((seed.questions ?? []).map((question) => [question.id ?? '', question]))
  for (const [id, { question }] of now) {
    const known = before.get(id)
    if (!known) report('new_question', id, question.type)
    else compare(known, question, (kind, what) => report(kind, id, what))
  }
  for (const id of before.keys()) if (!now.has(id)) report('question_missing', id, null)
  return found
}

type Report = (kind: SeedDrift['kind'], what: string | null) => void

function compare(known: SeedQuestion, now: SeedQuestion, report: Report): void {
  if (known.type !== now.type) {
    report('type_changed', now.type)
    return
  }
  if (known.title !== now.title) report('question_changed', 'title')
  for (const part of ['options', 'rows', 'columns'] as const) compareChoices(known[part], now[part], report)
}

function compareChoices(known: SeedChoice[] = [], now: SeedChoice[] = [], report: Report): void {
  const labels = (choices: SeedChoice[]): Map<string, string> =>
    new Map(choices.map(({ id, label }) => [id, label]))
  const [before, after] = [labels(known), labels(now)]
  for (const [id, label] of after) {
    const earlier = before.get(id)
    if (earlier === undefined) report('new_option', id)
    // An id stands for a label that no text shows.
    else if (earlier !== label && earlier !== id && label !== id) report('question_changed', id)
  }
  for (const id of before.keys()) if (!after.has(id)) report('option_missing', id)
}
