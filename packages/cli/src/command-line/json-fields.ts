import { usage } from '../failure.ts'

/**
 * Returns the fields of `--json FIELDS`, in the order given.
 * @throws Failure exit 2 for a field that the command does not have
 */
export function jsonFields(
  text: string | undefined,
  known: readonly string[] | undefined,
): readonly string[] | undefined {
  if (text === undefined) return undefined
  if (known === undefined) {
    throw usage(`--json has no fields here, got "${text}"`, 'pass --json alone')
  }
  const fields = [...new Set(text.split(',').map((field) => field.trim()))]
  for (const field of fields) checkField('--json', field, known)
  return fields
}

/** Checks one name of a list of fields. @throws Failure exit 2 */
export function checkField(option: string, field: string, known: readonly string[]): void {
  if (isField(field, known)) return
  throw usage(`unknown field "${field}" in ${option}`, `fields: ${known.join(', ')}`)
}

/** Whether `field` is one of `known`, in which `answer.QUESTION` stands for the answer to any question. */
export function isField(field: string, known: readonly string[] = []): boolean {
  return known.includes(field) || (known.includes('answer.QUESTION') && /^answer\.(?!\*$).+/.test(field))
}
