import type { AddressValue, ChoiceValue, UploadedFile } from '@formwire/contract'
import type { Question, SubmittedAnswer } from '../domain/question/index.ts'
import { fieldName, partName } from './form-answers.ts'
import { FormFields } from './form-fields.ts'

/** The fields of a plain form that say these answers: what a resumed draft is shown with. */
export function fieldsOfAnswers(
  questions: readonly Question[],
  answers: readonly SubmittedAnswer[],
): FormFields {
  const fields = new FormFields()
  const values = new Map(answers.map(({ question_id, value }) => [question_id, value]))
  for (const question of questions) {
    const value = values.get(question.id)
    if (value !== undefined) addFields(fields, question, value)
  }
  return fields
}

/** `value` was checked when it was saved. */
function addFields(fields: FormFields, question: Question, value: unknown): void {
  const own = fieldName(question)
  switch (question.type) {
    case 'single_choice':
    case 'multiple_choice':
    case 'dropdown':
    case 'yes_no':
    case 'ranking': {
      const { ids, other } = value as ChoiceValue
      for (const id of ids) fields.addText(own, id)
      if (other !== null) fields.addText(partName(question, 'other'), other)
      return
    }
    case 'file':
    case 'signature':
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
