import { isObject } from '@formwire/internal/json'
import type { Choice, Question, ShowIf } from '../domain/question/index.ts'
import { describeUnknown, firstUnknown, namesOf } from '../known-names.ts'

/** The fields of a question, in the builder's input and in seeds. */
export const QUESTION_FIELDS = namesOf<Question>({
  id: true,
  type: true,
  title: true,
  required: true,
  options: true,
  allow_other: true,
  points: true,
  rows: true,
  columns: true,
  min: true,
  max: true,
  show_if: true,
})

const CHOICE_FIELDS = namesOf<Choice>({ id: true, label: true })
const SHOW_IF_FIELDS = namesOf<ShowIf>({ question_id: true, equals: true })

/** A field that a question, or a part of it, does not have. `path` is below the question, such as `options[0].name`. */
type UnknownField = { readonly path: string; readonly message: string }

/** Returns the first unknown field of a question or of its options, rows, columns or condition. Ignores what is not an object. */
export function findUnknownField(question: unknown): UnknownField | undefined {
  if (!isObject(question)) return undefined
  const own = unknownIn(question, QUESTION_FIELDS, '')
  if (own) return own
  for (const name of ['options', 'rows', 'columns']) {
    const choices = question[name]
    if (!Array.isArray(choices)) continue
    for (const [index, choice] of choices.entries()) {
      const unknown = unknownIn(choice, CHOICE_FIELDS, `${name}[${index}].`)
      if (unknown) return unknown
    }
  }
  return unknownIn(question.show_if, SHOW_IF_FIELDS, 'show_if.')
}

function unknownIn(part: unknown, known: readonly string[], path: string): UnknownField | undefined {
  const name = isObject(part) ? firstUnknown(part, known) : undefined
  return name === undefined
    ? undefined
    : { path: path + name, message: describeUnknown('field', name, known) }
}
