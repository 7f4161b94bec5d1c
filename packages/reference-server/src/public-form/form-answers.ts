import type { AddressValue, ChoiceValue, UploadedFile } from '@formwire/contract'
import { ADDRESS_PARTS } from '../domain/question/address-answers.ts'
import { OTHER_TICKED } from '../domain/question/choice-answers.ts'
import type { FileLookup } from '../domain/question/handler.ts'
import { numberInText } from '../domain/question/number-answers.ts'
import type { Question, SubmittedAnswer } from '../domain/question/question.ts'
import { QUESTION_TYPE_PARTS } from '../domain/question/question-types.ts'
import { keepAnswers } from '../domain/question/validate-answers.ts'
import { FormFields } from './form-fields.ts'

export const fieldName = (question: Question): string => `q[${question.id}]`

/** Returns the field name of a part of a question: a grid row, a part of an address, or `other`. */
export const partName = (question: Question, part: string): string => `q[${question.id}][${part}]`

/** Returns what a field has when "Other" is ticked: `other`, or longer where an option has that id. */
export function otherId({ options = [] }: Question): string {
  let id = 'other'
  while (options.some((option) => option.id === id)) id += '_'
  return id
}

/**
 * Converts form fields to a value in the wire shape; `undefined` for a question left empty. Invalid input is kept, for the
 * validation to refuse. Does not handle files: see `readSubmission`.
 */
export function valueOfFields(question: Question, fields: FormFields): unknown {
  const own = fields.texts(fieldName(question)).filter((text) => text !== '')
  switch (QUESTION_TYPE_PARTS[question.type].handler.shape) {
    case 'text':
      return own[0]
    case 'number':
      return numberOf(own[0])
    case 'choice':
      return question.type === 'ranking'
        ? choiceOf(own.length > 0 ? own : placesOf(question, fields))
        : choiceWithOther(question, own, fields.text(partName(question, 'other')))
    case 'grid_single':
      return partsOf(rowIds(question), (row) => fields.text(partName(question, row)) || undefined)
    case 'grid_multiple':
      return partsOf(rowIds(question), (row) => {
        const columns = fields.texts(partName(question, row)).filter((text) => text !== '')
        return columns.length > 0 ? columns : undefined
      })
    case 'address':
      return partsOf(ADDRESS_PARTS, (part) => fields.text(partName(question, part)) || undefined)
    case 'files':
      return own.length > 0 ? own.map((id) => ({ id })) : undefined
  }
}

function numberOf(text: string | undefined): unknown {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return undefined
  return numberInText(trimmed) ?? trimmed
}

function choiceOf(ids: readonly string[], other = ''): unknown {
  return ids.length === 0 && other === '' ? undefined : { ids, other: other === '' ? null : other }
}

/** The value of "Other" is no option; its text may also be sent without it. */
function choiceWithOther(question: Question, own: readonly string[], other: string): unknown {
  const ticked = question.allow_other ? otherId(question) : undefined
  const ids = own.filter((id) => id !== ticked)
  return ids.length === own.length ? choiceOf(ids, other) : { ids, other, [OTHER_TICKED]: true }
}

/** Reads a ranking sent as `q[ID][OPTION]=place`. The second option with the same place is dropped. */
function placesOf(question: Question, fields: FormFields): string[] {
  return (question.options ?? [])
    .map((option) => ({ id: option.id, place: numberOf(fields.text(partName(question, option.id))) }))
    .filter((entry): entry is { id: string; place: number } => typeof entry.place === 'number')
    .sort((a, b) => a.place - b.place)
    .filter((entry, index, sorted) => entry.place !== sorted[index - 1]?.place)
    .map((entry) => entry.id)
}

const rowIds = (question: Question): string[] => (question.rows ?? []).map((row) => row.id)

function partsOf(names: readonly string[], read: (name: string) => unknown): unknown {
  const parts = names.map((name) => [name, read(name)] as const).filter(([, value]) => value !== undefined)
  return parts.length > 0 ? Object.fromEntries(parts) : undefined
}

/**
 * Converts answers to form fields, to fill in the page of a resumed draft. Leaves out answers that became invalid when the
 * form was published again.
 */
export function fieldsOfAnswers(
  questions: readonly Question[],
  answers: readonly SubmittedAnswer[],
  file: FileLookup,
): FormFields {
  const fields = new FormFields()
  const kept = keepAnswers(questions, answers, { draft: true, file })
  const values = new Map(kept.map(({ question_id, value }) => [question_id, value]))
  for (const question of questions) {
    const value = values.get(question.id)
    if (value !== undefined) addFields(fields, question, value)
  }
  return fields
}

/** `value` must be valid for the question. */
function addFields(fields: FormFields, question: Question, value: unknown): void {
  const own = fieldName(question)
  switch (QUESTION_TYPE_PARTS[question.type].handler.shape) {
    case 'choice': {
      const { ids, other } = value as ChoiceValue
      for (const id of ids) fields.addText(own, id)
      if (other !== null) fields.addText(partName(question, 'other'), other)
      return
    }
    case 'files':
      for (const { id } of value as UploadedFile[]) fields.addText(own, id)
      return
    case 'grid_single':
    case 'grid_multiple':
    case 'address':
      for (const [part, cell] of Object.entries(value as AddressValue | Record<string, string | string[]>)) {
        for (const text of [cell].flat()) fields.addText(partName(question, part), text)
      }
      return
    default:
      fields.addText(own, String(value))
  }
}
