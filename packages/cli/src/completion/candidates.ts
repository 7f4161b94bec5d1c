import { EVENT_TYPES } from '@formwire/contract'
import { argumentsOf, type Command, descriptionOf, GLOBAL_OPTIONS, type OptionSpec } from '../command.ts'
import { MissingValue } from '../command-line/option-reader.ts'
import { readRest, readWords } from '../command-line/words.ts'
import { Failure } from '../failure.ts'
import { NOUNS } from '../help/help.ts'
import { SHELLS } from './shells.ts'

/** One possible word at the cursor. */
export interface Candidate {
  word: string
  description: string
}

/** Returns the forms to complete; none if they are not available. */
type Forms = () => Promise<readonly Candidate[]>

/** Returns the possible completions of the last of `words`, which may be empty or incomplete. */
export async function candidates(
  catalog: readonly Command[],
  words: readonly string[],
  forms: Forms,
): Promise<Candidate[]> {
  const current = words.at(-1) ?? ''
  const all = await unfiltered(catalog, words.slice(0, -1), current, forms)
  return all.filter(({ word }) => word.startsWith(current))
}

async function unfiltered(
  catalog: readonly Command[],
  before: readonly string[],
  current: string,
  forms: Forms,
): Promise<readonly Candidate[]> {
  try {
    const line = readWords(before, catalog)
    const { words, rest, isHelp } = line
    const command = isHelp ? undefined : line.command
    const known: readonly OptionSpec[] = [...(command?.options ?? []), ...GLOBAL_OPTIONS]
    // The options of the pull are among the words for the server.
    const own = command?.passThrough ? { ...line, rest: line.trailing, trailing: [] } : line
    const args = command ? readRest(own, command, false).args : []
    const [name = '', ...value] = current.split('=')
    if (name.startsWith('--') && value.length > 0) {
      const option = known.find((one) => `--${one.name}` === name)
      const found = option ? await optionValues(option, forms) : []
      return found.map(({ word, description }) => ({ word: `${name}=${word}`, description }))
    }
    if (current.startsWith('-'))
      return known.map((one) => ({ word: `--${one.name}`, description: descriptionOf(one) }))
    if (!command) return words.length > 0 ? verbs(catalog, words) : commands(catalog, isHelp)
    // A command with one word may also begin the name of others.
    const others = words.length === 1 && rest.length === 0 ? verbs(catalog, words) : []
    return [...others, ...(await argument(command, args.length, forms))]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (!(error instanceof MissingValue)) return []
    // A command may have an option with the name of a global one.
    const options: readonly OptionSpec[] = readWords(before.slice(0, -1), catalog).command?.options ?? []
    return await optionValues(options.find(({ name }) => name === error.option.name) ?? error.option, forms)
  }
}

/** Returns candidates without a description. */
const plain = (words: readonly string[]): Candidate[] => words.map((word) => ({ word, description: '' }))

async function optionValues({ name, choices = [] }: OptionSpec, forms: Forms): Promise<readonly Candidate[]> {
  return name === 'form' ? await forms() : plain(choices)
}

function commands(catalog: readonly Command[], isHelp: boolean): Candidate[] {
  const single = catalog.filter(({ path }) => path.length === 1)
  const groups = Object.entries(NOUNS).filter(([noun]) => !single.some(({ path }) => path[0] === noun))
  return [
    ...single.map(({ path, summary }) => ({ word: path[0], description: summary })),
    ...groups.map(([word, description]) => ({ word, description })),
    ...(isHelp ? [] : [{ word: 'help', description: 'show the help of a command' }]),
  ]
}

/** Returns the second words of the commands that begin with the only one that is typed. */
function verbs(catalog: readonly Command[], words: readonly string[]): Candidate[] {
  if (words.length > 1) return []
  return catalog.flatMap(({ path, summary }) =>
    path[0] === words[0] && path[1] !== undefined ? [{ word: path[1], description: summary }] : [],
  )
}

/** Returns the possible values of the argument after those that are given. */
async function argument(command: Command, given: number, forms: Forms): Promise<readonly Candidate[]> {
  const takes = argumentsOf(command)
  const last = takes.at(-1)
  switch ((takes[given] ?? (last?.isMany ? last : undefined))?.name) {
    case 'form':
    case 'forms':
      return await forms()
    case 'event':
      return plain(EVENT_TYPES)
    case 'shell':
      return plain(SHELLS)
    default:
      return []
  }
}
