import type { AddressValue, ChoiceValue, UploadedFile } from '@formwire/contract'
import {
  type FileLookup,
  keepAnswers,
  type Question,
  type SubmittedAnswer,
} from '../domain/question/index.ts'
import { shapeOf } from '../domain/question/question-types.ts'
import { fieldName, partName } from './form-answers.ts'
import { FormFields } from './form-fields.ts'

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
  switch (shapeOf(question.type)) {
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
