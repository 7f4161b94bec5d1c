import { FORM_STATUSES, RESPONSE_STATUSES } from '@formwire/contract'
import type { CatalogEntry, CommandSpec, OptionSpec } from '../command.ts'
import { EXPORT_FORMATS } from '../export/formats.ts'
import { commandWords, GLOBAL_OPTIONS } from '../global-options.ts'
import { NOUNS } from '../nouns.ts'
import { TYPES_FORMATS } from '../types/formats.ts'
import { SHELLS } from './scripts.ts'

/** One possible word at the cursor. */
export interface Candidate {
  word: string
  description: string
}

/** Returns form ids with titles; empty when the API is not available. */
export type FormSource = () => Promise<readonly Candidate[]>

/** Returns the possible completions of the last of `words`, which may be empty or incomplete. */
export async function candidates(
  catalog: readonly CatalogEntry[],
  words: readonly string[],
  forms: FormSource,
): Promise<Candidate[]> {
  const before = words.slice(0, -1)
  const current = words.at(-1) ?? ''
  const all = await unfiltered(catalog, before, current, forms)
  return all.filter(({ word }) => word.startsWith(current))
}

async function unfiltered(
  catalog: readonly CatalogEntry[],
  before: readonly string[],
  current: string,
  forms: FormSource,
): Promise<readonly Candidate[]> {
  const typed = commandWords(before)
  const entry = catalog.find(({ path }) => path.every((word, index) => typed[index] === word))
  if (!entry) return current.startsWith('-') ? options(GLOBAL_OPTIONS) : commands(catalog, typed)
  const { spec } = entry
  const known = [...(spec.options ?? []), ...GLOBAL_OPTIONS]
  const open = openOption(known, before.at(-1))
  if (open) return values(open, entry.path, forms)
  if (current.startsWith('-')) return options(known)
  return argument(spec, positionals(before, known).length - entry.path.length, forms)
}

function commands(catalog: readonly CatalogEntry[], typed: readonly string[]): Candidate[] {
  if (typed.length === 0) {
    const single = catalog.filter(({ path }) => path.length === 1)
    return [
      ...single.map(({ path, summary }) => ({ word: path[0], description: summary })),
      ...Object.entries(NOUNS).map(([word, description]) => ({ word, description })),
    ]
  }
  if (typed.length > 1) return []
  return catalog.flatMap(({ path, summary }) =>
    path[0] === typed[0] && path[1] !== undefined ? [{ word: path[1], description: summary }] : [],
  )
}

const longName = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? flags
const takesValue = (flags: string): boolean => flags.includes('<')

function options(specs: readonly OptionSpec[]): Candidate[] {
  return specs.map(({ flags, description }) => ({ word: longName(flags), description }))
}

function openOption(specs: readonly OptionSpec[], last: string | undefined): OptionSpec | undefined {
  return specs.find(({ flags }) => takesValue(flags) && longName(flags) === last)
}

/** Returns the words that are neither options nor their values. */
function positionals(words: readonly string[], specs: readonly OptionSpec[]): string[] {
  return words.filter((word, index) => !word.startsWith('-') && !openOption(specs, words[index - 1]))
}

async function values(
  option: OptionSpec,
  path: readonly string[],
  forms: FormSource,
): Promise<readonly Candidate[]> {
  const plain = (words: readonly string[]): Candidate[] => words.map((word) => ({ word, description: '' }))
  switch (longName(option.flags)) {
    case '--status':
      return plain(path[0] === 'forms' ? FORM_STATUSES : RESPONSE_STATUSES)
    case '--format':
      return plain(path[0] === 'types' ? TYPES_FORMATS : EXPORT_FORMATS)
    case '--form':
      return await forms()
    default:
      return []
  }
}

async function argument(spec: CommandSpec, index: number, forms: FormSource): Promise<readonly Candidate[]> {
  const name = (spec.arguments?.[index] ?? spec.arguments?.findLast((last) => last.name.includes('...')))
    ?.name
  if (name === '<form>' || name === '[form]' || name === '[form...]') return await forms()
  if (name === '<shell>') return SHELLS.map((word) => ({ word, description: '' }))
  return []
}
