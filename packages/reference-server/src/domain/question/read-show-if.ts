import { isObject } from '@formwire/internal/json'
import { filesAsDescribed } from './handler.ts'
import { ANSWER_HANDLERS } from './handlers.ts'
import type { Question, ShowIf } from './question.ts'
import { QUESTION_TYPE_PARTS } from './question-types.ts'
import { DefinitionError } from './read-parts.ts'

/**
 * Reads `{question_id, equals}`. The question must come earlier in the form, so that logic has no circles, and `equals`
 * must be a valid answer to it, since the question would never be shown otherwise.
 */
export function readShowIf(
  input: unknown,
  path: string,
  earlier: ReadonlyMap<string, Question>,
): ShowIf | undefined {
  if (input === undefined || input === null) return undefined
  if (!isObject(input)) throw new DefinitionError(path, 'must be an object {"question_id", "equals"}')
  const { question_id: id, equals } = input
  const controlling = typeof id === 'string' ? earlier.get(id) : undefined
  if (controlling === undefined) {
    throw new DefinitionError(`${path}.question_id`, 'must be the id of an earlier question of the form')
  }
  return { question_id: controlling.id, equals: readComparable(controlling, equals, `${path}.equals`) }
}

function readComparable(controlling: Question, equals: unknown, path: string): unknown {
  if (QUESTION_TYPE_PARTS[controlling.type].options !== undefined) {
    const option = controlling.options?.find((candidate) => candidate.id === equals)
    if (option === undefined)
      throw new DefinitionError(path, `must be the id of an option of "${controlling.id}"`)
    return option.id
  }
  const context = { draft: true, file: filesAsDescribed }
  const checked = ANSWER_HANDLERS[controlling.type].check(controlling, equals, context)
  if (!checked.ok || checked.value === undefined) {
    const hint = checked.ok ? '' : `: ${checked.refusal.message.replace(/\.$/, '')}`
    throw new DefinitionError(path, `must be a valid answer to "${controlling.id}"${hint}`)
  }
  return checked.value
}
