import type { KnownQuestionType } from '@formwire/contract'
import type { Question } from '@formwire/contract/control'
import type { QuestionModel } from './model.ts'
import { byCodeUnits, type Ids, idsOf, kindOf, union, type Variant } from './shape.ts'

/**
 * Completes inferred questions with those of the builder, which a reference server shows: questions and options that no
 * response has yet, and questions that may be skipped. Questions that the builder no longer has stay as inferred.
 */
export function withBuilderQuestions(
  inferred: readonly QuestionModel[],
  questions: readonly Question[],
): QuestionModel[] {
  const names = namesOfTypes(inferred, questions)
  const seen = new Map(inferred.map((question) => [question.id, question]))
  const current = questions.map((question): QuestionModel => {
    const type = names.get(question.type) ?? question.type
    const known = seen.get(question.id)
    const types = new Map(known?.answers.map((answer) => [answer.type, answer.value]))
    const shape = [builderVariant(question)]
    types.set(type, union(types.get(type) ?? shape, shape))
    return {
      id: question.id,
      title: question.title,
      required: known?.required === true && question.required && question.show_if === undefined,
      answers: [...types]
        .map(([name, value]) => ({ type: name, value }))
        .sort((one, two) => byCodeUnits(one.type, two.type)),
    }
  })
  return withRemoved(current, inferred)
}

/** Inserts each question that only responses have after its predecessor there. */
function withRemoved(current: QuestionModel[], inferred: readonly QuestionModel[]): QuestionModel[] {
  const result = [...current]
  let after = -1
  for (const question of inferred) {
    const at = result.findIndex(({ id }) => id === question.id)
    if (at < 0) {
      after += 1
      result.splice(after, 0, question)
    } else after = at
  }
  return result
}

/** How the deployment names the types in answers, where it differs from the builder (`questionTypeNames`, RESP-07). */
function namesOfTypes(
  inferred: readonly QuestionModel[],
  questions: readonly Question[],
): Map<KnownQuestionType, string> {
  const answers = new Map(inferred.map((question) => [question.id, question.answers]))
  const names = new Map<KnownQuestionType, string>()
  for (const { id, type } of questions) {
    const [only, ...more] = answers.get(id) ?? []
    if (only && more.length === 0 && !kindOf(only.type)) names.set(type, only.type)
  }
  return names
}

/** Returns the variant of every value that the question accepts. */
function builderVariant({ type, options, rows, columns, required }: Question): Variant {
  const kind = kindOf(type)
  switch (kind) {
    case 'choice':
      return { kind, options: options || type !== 'yes_no' ? choiceIds(options) : ['no', 'yes'] }
    case 'grid_single':
    case 'grid_multiple': {
      // A required grid has an answer in every row.
      const names = namesOf(rows).sort(byCodeUnits)
      return { kind, rows: names.map((name) => ({ name, required })), columns: choiceIds(columns) }
    }
    case undefined:
      return { kind: 'unknown' }
    default:
      return { kind }
  }
}

const namesOf = (choices: Question['options']): string[] => (choices ?? []).map(({ id }) => id)
const choiceIds = (choices: Question['options']): Ids => idsOf(namesOf(choices))
