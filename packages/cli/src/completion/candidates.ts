import { EVENT_TYPES } from '@formwire/contract'
import { type Command, commandNamedBy, type OptionSpec } from '../command.ts'
import { GLOBAL_OPTIONS } from '../command-line/global-options.ts'
import {
  commandWords,
  isNoArgument,
  longName,
  openOption,
  positionals,
  requiredArguments,
  withJsonFields,
} from '../command-line/words.ts'
import { NOUNS } from '../help/topics.ts'
import { SHELLS } from './shells.ts'
import { type Candidate, type CandidateSource, optionValues, plain } from './values.ts'

/** Returns the possible completions of the last of `words`, which may be empty or incomplete. */
export async function candidates(
  catalog: readonly Command[],
  words: readonly string[],
  source: CandidateSource,
): Promise<Candidate[]> {
  const before = withJsonFields(words.slice(0, -1), catalog)
  const current = words.at(-1) ?? ''
  const all = await unfiltered(catalog, before, current, source)
  return all.filter(({ word }) => word.startsWith(current))
}

async function unfiltered(
  catalog: readonly Command[],
  before: readonly string[],
  current: string,
  source: CandidateSource,
): Promise<readonly Candidate[]> {
  const typed = commandWords(before)
  const isHelp = typed[0] === 'help'
  const named = isHelp ? typed.slice(1) : typed
  const entry = isHelp ? undefined : commandNamedBy(catalog, named)
  const known = [...(entry?.options ?? []), ...GLOBAL_OPTIONS]
  const given = entry ? positionals(before, known).slice(entry.path.length) : []
  const valuesOf = (option: OptionSpec, value: string) =>
    optionValues({ option, value, entry, given, words: before }, source)

  const [, assigned, value = ''] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? []
  if (assigned !== undefined) {
    const option = known.find(({ flags }) => longName(flags) === assigned)
    const found = option ? await valuesOf(option, value) : []
    return found.map(({ word, description }) => ({ word: `${assigned}=${word}`, description }))
  }
  const open = openOption(known, before.at(-1)) ?? openList(known, before)
  if (open && !current.startsWith('-')) return await valuesOf(open, current)
  if (current.startsWith('-')) return options(known)
  const json =
    before.at(-1) === '--json' ? known.find(({ flags }) => longName(flags) === '--json') : undefined
  if (json && entry) {
    const isFields = current.includes(',') || isNoArgument(current, before, catalog)
    // Without a comma, a word after --json is an argument of the command if one is missing, and may be one if more are allowed.
    const fields = isFields || given.length >= requiredArguments(entry) ? await valuesOf(json, current) : []
    return isFields ? fields : [...fields, ...(await argument(entry, given, source))]
  }
  if (!entry)
    return isHelp && commandNamedBy(catalog, named) ? verbs(catalog, named) : commands(catalog, named, isHelp)
  // A command with one word may also begin the name of others.
  const others = entry.path.length === 1 ? verbs(catalog, typed) : []
  return [...others, ...(await argument(entry, given, source))]
}

/** Returns the option with several values, such as `--only <name...>`, to which the next word belongs. */
function openList(known: readonly OptionSpec[], before: readonly string[]): OptionSpec | undefined {
  const at = before.findLastIndex((word) => word.startsWith('-'))
  return known.find(({ flags }) => flags.includes('...') && longName(flags) === before[at])
}

function commands(catalog: readonly Command[], typed: readonly string[], isHelp: boolean): Candidate[] {
  if (typed.length === 0) {
    const single = catalog.filter(({ path }) => path.length === 1)
    return [
      ...single.map(({ path, summary }) => ({ word: path[0], description: summary })),
      ...Object.entries(NOUNS)
        .filter(
          ([noun]) =>
            catalog.some(({ path }) => path[0] === noun) && !single.some(({ path }) => path[0] === noun),
        )
        .map(([word, description]) => ({ word, description })),
      ...(isHelp ? [] : [{ word: 'help', description: 'show the help of a command' }]),
    ]
  }
  return verbs(catalog, typed)
}

/** Returns the second words of the commands that begin with the only one that is typed. */
function verbs(catalog: readonly Command[], typed: readonly string[]): Candidate[] {
  if (typed.length > 1) return []
  return catalog.flatMap(({ path, summary }) =>
    path[0] === typed[0] && path[1] !== undefined ? [{ word: path[1], description: summary }] : [],
  )
}

function options(specs: readonly OptionSpec[]): Candidate[] {
  return specs
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description }) => ({ word: longName(flags), description }))
}

async function argument(
  { path, arguments: specs = [] }: Command,
  given: readonly string[],
  source: CandidateSource,
): Promise<readonly Candidate[]> {
  const last = specs.at(-1)
  const name = (specs[given.length] ?? (last?.name.includes('...') ? last : undefined))?.name
  const [form] = given
  switch (name?.replace(/[<>[\].]/g, '')) {
    case 'form':
    case 'forms':
      return await source.forms()
    case 'id':
      if (form === undefined) return []
      return await (path[0] === 'webhooks' ? source.endpoints(form) : source.responses(form))
    case 'webhook':
      return form === undefined ? [] : await source.endpoints(form)
    case 'name':
      return path[0] === 'profiles' ? source.profiles() : []
    case 'event':
      return plain(EVENT_TYPES)
    case 'shell':
      return plain(SHELLS)
    default:
      return []
  }
}
