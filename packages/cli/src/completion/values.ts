import type { Command, OptionSpec } from '../command.ts'
import { longName } from '../command-line/words.ts'

/** One possible word at the cursor. */
export interface Candidate {
  word: string
  description: string
}

/** Ids and names to complete. Each is empty when it is not available. */
export interface CandidateSource {
  forms(): Promise<readonly Candidate[]>
  responses(formId: string): Promise<readonly Candidate[]>
  endpoints(formId: string): Promise<readonly Candidate[]>
  /** Questions that the latest responses of a form answer. */
  questions(formId: string): Promise<readonly Candidate[]>
  profiles(): readonly Candidate[]
}

/** An option whose value is at the cursor. */
interface OptionAtCursor {
  option: OptionSpec
  /** As much of the value as is typed. */
  value: string
  /** The command, if it is typed. */
  entry: Command | undefined
  /** Its arguments so far. */
  given: readonly string[]
  /** The words before the one at the cursor. */
  words: readonly string[]
}

/** Returns candidates without a description. */
export const plain = (words: readonly string[]): Candidate[] =>
  words.map((word) => ({ word, description: '' }))

/** Returns the possible values of an option, each whole: of a list, with what is typed before the last comma. */
export async function optionValues(
  { option, value, entry, given, words }: OptionAtCursor,
  source: CandidateSource,
): Promise<readonly Candidate[]> {
  const name = longName(option.flags)
  const [form] = given
  switch (name) {
    case '--columns':
    case '--json':
      return inList(value, await fieldsOf(entry, lastOf(value), form, source))
    case '--only':
      return inList(value, await receiverChecks())
    case '--forward-to':
      return entry?.path[0] === 'listen' && !value.includes('=') ? await formsOfHandlers(words, source) : []
    case '--form':
      return await source.forms()
    case '--response':
    case '--expendable-response': {
      const of = formOptions(words)[0] ?? form
      return of === undefined ? [] : await source.responses(of)
    }
    case '--to':
      return plain(['sqlite:', 'postgres'])
    case '--profile':
      return source.profiles()
    default:
      return plain((option.parse as { choices?: readonly string[] } | undefined)?.choices ?? [])
  }
}

const lastOf = (list: string): string => list.slice(list.lastIndexOf(',') + 1)

/** Completes the last name of a list. */
function inList(typed: string, names: readonly Candidate[]): Candidate[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1)
  const chosen = before.split(',')
  return names
    .filter(({ word }) => !chosen.includes(word))
    .map(({ word, description }) => ({ word: before + word, description }))
}

const ANSWER = 'answer.'

/** Returns the fields of a command. The answers to questions are read only if what is typed may become one. */
async function fieldsOf(
  entry: Command | undefined,
  typed: string,
  form: string | undefined,
  source: CandidateSource,
): Promise<Candidate[]> {
  const fields = entry?.fields ?? []
  const named = plain(fields.filter((field) => field !== `${ANSWER}QUESTION`))
  const mayBeAnswer = ANSWER.startsWith(typed) || typed.startsWith(ANSWER)
  if (named.length === fields.length || form === undefined || !mayBeAnswer) return named
  const questions = await source.questions(form)
  return [...named, ...questions.map(({ word, description }) => ({ word: ANSWER + word, description }))]
}

async function receiverChecks(): Promise<Candidate[]> {
  const { RECEIVER_CHECKS } = await import('@formwire/webhook-verify/testing')
  return plain(Object.keys(RECEIVER_CHECKS))
}

/** Returns the forms that can have a handler of their own, each as `FORM=`. */
async function formsOfHandlers(words: readonly string[], source: CandidateSource): Promise<Candidate[]> {
  const followed = formOptions(words)
  const forms = followed.length > 0 ? plain(followed) : await source.forms()
  return forms.map(({ word, description }) => ({ word: `${word}=`, description }))
}

/** Returns the values of `--form`. */
function formOptions(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1]
    if (word.startsWith('--form=')) return [word.slice('--form='.length)]
    return word === '--form' && next !== undefined ? [next] : []
  })
}
