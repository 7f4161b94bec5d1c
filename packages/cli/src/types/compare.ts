import type { FormModel, QuestionModel } from './model.ts'
import type { Ids, Member, Row, Shape, Variant } from './shape.ts'
import type { StampedForm } from './stamp.ts'

/** What a response does not fit. */
type DifferenceKind =
  | 'form_not_in_file'
  | 'new_question'
  | 'type_changed'
  | 'value_changed'
  | 'new_option'
  | 'new_row'
  | 'new_column'
  | 'not_in_every_response'

/** One reason why responses do not fit a generated file. */
export interface Difference {
  form_id: string
  /** `null` if the form as a whole is missing. */
  question_id: string | null
  kind: DifferenceKind
  /** The new type, option, row or column, or the path inside the value. */
  what: string | null
  message: string
}

/** Adds a difference of one question. */
type Report = (kind: DifferenceKind, what: string | null, message: string) => void

/** Returns every difference between a form as inferred now and as a file has it. A file may cover more than the form has. */
export function differences(form: FormModel, file: StampedForm | undefined): Difference[] {
  const found: Difference[] = []
  const report =
    (question: string | null): Report =>
    (kind, what, message) => {
      found.push({ form_id: form.id, question_id: question, kind, what, message })
    }
  if (!file) {
    report(null)('form_not_in_file', null, 'the file has no types of this form')
    return found
  }
  const known = new Map(file.questions.map((question) => [question.id, question]))
  for (const question of form.questions) {
    const old = known.get(question.id)
    known.delete(question.id)
    if (!old) report(question.id)('new_question', null, `new question of type ${listed(question)}`)
    else compareQuestion(question, old, report(question.id))
  }
  // Responses without any answer are responses too; a form without responses contradicts nothing.
  if (form.responses === 0) return found
  for (const old of known.values()) if (old.required) reportOptional(report(old.id))
  return found
}

function listed({ answers }: Pick<QuestionModel, 'answers'>): string {
  return answers.map(({ type }) => type).join(' or ')
}

function reportOptional(report: Report): void {
  report('not_in_every_response', null, 'not in every response any more')
}

function compareQuestion(
  now: QuestionModel,
  old: Pick<QuestionModel, 'answers' | 'required'>,
  report: Report,
): void {
  for (const { type, value } of now.answers) {
    const before = old.answers.find((answer) => answer.type === type)
    if (before) compareShape(value, before.value, 'value', report)
    else report('type_changed', type, `question type ${type}, expected ${listed(old)}`)
  }
  if (old.required && !now.required) reportOptional(report)
}

function compareShape(now: Shape, old: Shape, path: string, report: Report): void {
  if (old.some(({ kind }) => kind === 'unknown')) return
  for (const variant of now) {
    const before = old.find(({ kind }) => kind === variant.kind) ?? wider(variant, old)
    if (before) compareVariant(variant, before, path, report)
    else {
      const expected = old.map(({ kind }) => kind).join(' or ') || 'nothing'
      report('value_changed', path, `${path} is ${variant.kind}, expected ${expected}`)
    }
  }
}

/** A variant of another kind that the values fit too. */
function wider({ kind }: Variant, old: Shape): Variant | undefined {
  return kind === 'date' || kind === 'time' ? old.find((variant) => variant.kind === 'string') : undefined
}

function compareVariant(now: Variant, old: Variant, path: string, report: Report): void {
  if (now.kind === 'choice' && old.kind === 'choice') {
    compareIds(now.options, old.options, 'option', report)
  } else if ('rows' in now && 'rows' in old) {
    compareMembers(now.rows, old.rows, path, report, 'new_row')
    compareIds(now.columns, old.columns, 'column', report)
  } else if (now.kind === 'array' && old.kind === 'array') {
    compareShape(now.items, old.items, `${path}[]`, report)
  } else if (now.kind === 'object' && old.kind === 'object') {
    compareMembers(now.members, old.members, path, report, 'value_changed')
    const before = new Map(old.members.map((member) => [member.name, member]))
    for (const member of now.members) {
      const known = before.get(member.name)
      if (known) compareShape(member.shape, known.shape, `${path}.${member.name}`, report)
    }
  }
}

function compareMembers(
  now: readonly (Row | Member)[],
  old: readonly (Row | Member)[],
  path: string,
  report: Report,
  kind: 'new_row' | 'value_changed',
): void {
  const noun = kind === 'new_row' ? 'row' : 'member'
  const members = new Map(now.map((member) => [member.name, member]))
  const names = new Set(old.map(({ name }) => name))
  for (const name of members.keys()) if (!names.has(name)) report(kind, name, newId(noun, name))
  for (const { name, required } of old) {
    if (required && !members.get(name)?.required) {
      report('value_changed', `${path}.${name}`, `${noun} "${name}" is not in every answer any more`)
    }
  }
}

const newId = (noun: string, id: string): string => `${noun} "${id}" is not in the file`

function compareIds(now: Ids, old: Ids, noun: 'option' | 'column', report: Report): void {
  if (old === null) return
  if (now === null) report(`new_${noun}`, null, `more ${noun}s than the file can list`)
  for (const id of now ?? []) if (!old.includes(id)) report(`new_${noun}`, id, newId(noun, id))
}
