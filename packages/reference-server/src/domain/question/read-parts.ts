import { isObject } from '@formwire/internal/json'

import type { Choice } from './question.ts'

/** An error in a question's definition. `readQuestions` catches it. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/** Maximum length of an id, in UTF-16 units. */
const ID_MAX_LENGTH = 100
/** Brackets would break the field names of the HTML form, `q[ID][ROW]`. */
const NOT_IN_IDS = /[[\]\p{Cc}\p{Cs}]/u

export function readText(input: unknown, path: string): string {
  if (typeof input !== 'string' || input.trim() === '')
    throw new DefinitionError(path, 'must be a string that is not blank')
  return input
}

/** An id of a question, option, row or column. */
export function readId(input: unknown, path: string): string {
  const id = readText(input, path)
  if (id.length > ID_MAX_LENGTH)
    throw new DefinitionError(path, `must have at most ${ID_MAX_LENGTH} characters`)
  if (NOT_IN_IDS.test(id)) throw new DefinitionError(path, 'must not contain brackets or control characters')
  if (id === '__proto__')
    throw new DefinitionError(path, 'must not be __proto__, which JavaScript clients cannot read')
  return id
}

/** Reads one to `most` choices `{id, label}` with different ids. */
export function readChoices(input: unknown, path: string, most: number): Choice[] {
  if (!Array.isArray(input) || input.length === 0) {
    throw new DefinitionError(path, 'must be a list of at least one {"id", "label"}')
  }
  if (input.length > most) throw new DefinitionError(path, `must be a list of at most ${most}`)
  const seen = new Set<string>()
  // Unlike map, Array.from does not skip the holes of a sparse array.
  return Array.from(input as readonly unknown[], (item, index) => {
    const at = `${path}[${index}]`
    if (!isObject(item)) throw new DefinitionError(at, 'must be an object {"id", "label"}')
    const id = readId(item.id, `${at}.id`)
    if (seen.has(id)) throw new DefinitionError(`${at}.id`, `"${id}" appears twice`)
    seen.add(id)
    return { id, label: readText(item.label, `${at}.label`) }
  })
}
