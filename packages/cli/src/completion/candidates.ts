import { FORM_STATUSES, RESPONSE_STATUSES } from '@formwire/contract'
import { type CatalogEntry, isNamedBy, type OptionSpec } from '../command.ts'
import { GLOBAL_OPTIONS } from '../command-line/global-options.ts'
import { commandWords, longName, openOption, positionals } from '../command-line/words.ts'
import { NOUNS } from '../help/topics.ts'
import { LIST_FORMATS } from '../lists/list-options.ts'
import { TYPES_FORMATS } from '../types/formats.ts'
import { SHELLS } from './scripts.ts'

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
  profiles(): readonly Candidate[]
}

/** Returns the possible completions of the last of `words`, which may be empty or incomplete. */
export async function candidates(
  catalog: readonly CatalogEntry[],
  words: readonly string[],
  source: CandidateSource,
): Promise<Candidate[]> {
  const before = words.slice(0, -1)
  const current = words.at(-1) ?? ''
  const all = await unfiltered(catalog, before, current, source)
  return all.filter(({ word }) => word.startsWith(current))
}

async function unfiltered(
  catalog: readonly CatalogEntry[],
  before: readonly string[],
  current: string,
  source: CandidateSource,
): Promise<readonly Candidate[]> {
  const typed = commandWords(before)
  const isHelp = typed[0] === 'help'
  const named = isHelp ? typed.slice(1) : typed
  const entry = catalog.find((candidate) => isNamedBy(candidate, named))
  if (!entry) {
    const open = openOption(GLOBAL_OPTIONS, before.at(-1))
    if (open) return await values(open, [], [], source)
    return current.startsWith('-') ? options(GLOBAL_OPTIONS) : commands(catalog, named, isHelp)
  }
  if (isHelp) return []
  const { path, spec } = entry
  const known = [...(spec.options ?? []), ...GLOBAL_OPTIONS]
  const given = positionals(before, known).slice(path.length)
  const open = openOption(known, before.at(-1))
  if (open) return await values(open, path, given, source)
  if (current.startsWith('-')) return options(known)
  return await argument(entry, given, source)
}

function commands(catalog: readonly CatalogEntry[], typed: readonly string[], isHelp: boolean): Candidate[] {
  if (typed.length === 0) {
    const single = catalog.filter(({ path }) => path.length === 1)
    return [
      ...single.map(({ path, summary }) => ({ word: path[0], description: summary })),
      ...Object.entries(NOUNS)
        .filter(([noun]) => catalog.some(({ path }) => path[0] === noun))
        .map(([word, description]) => ({ word, description })),
      ...(isHelp ? [] : [{ word: 'help', description: 'show the help of a command' }]),
    ]
  }
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

const plain = (words: readonly string[]): Candidate[] => words.map((word) => ({ word, description: '' }))

/** The values of options that have a fixed set. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  '--order': ['oldest', 'newest'],
  '--clock': ['real', 'manual'],
  '--deleted': ['mark', 'erase'],
  '--view': ['live', 'lines', 'quiet'],
}

async function values(
  option: OptionSpec,
  path: readonly string[],
  [form]: readonly string[],
  source: CandidateSource,
): Promise<readonly Candidate[]> {
  const name = longName(option.flags)
  switch (name) {
    case '--status':
      return plain(path[0] === 'forms' ? FORM_STATUSES : RESPONSE_STATUSES)
    case '--format':
      if (path[0] === 'types') return plain(TYPES_FORMATS)
      return plain(path[1] === 'export' ? ['csv', 'ndjson', 'json'] : LIST_FORMATS)
    case '--form':
      return await source.forms()
    case '--response':
    case '--expendable-response':
      return form === undefined ? [] : await source.responses(form)
    case '--profile':
      return source.profiles()
    default:
      return plain(VALUES[name] ?? [])
  }
}

async function argument(
  { path, spec }: CatalogEntry,
  given: readonly string[],
  source: CandidateSource,
): Promise<readonly Candidate[]> {
  const specs = spec.arguments ?? []
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
    case 'shell':
      return plain(SHELLS)
    default:
      return []
  }
}
