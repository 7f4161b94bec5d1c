import type { OptionSpec, OptionsOf } from '../command.ts'
import { count } from '../input/parse.ts'

/** How a list can be printed. */
const LIST_FORMATS = ['table', 'tsv', 'csv', 'json', 'ndjson'] as const

/** A format of a list. */
export type ListFormat = (typeof LIST_FORMATS)[number]

/** Items that a list shows without `--limit`. */
export const DEFAULT_LIMIT = 25

/** `--format` of a list. */
export const FORMAT_OPTION = {
  name: 'format',
  value: 'format',
  description: LIST_FORMATS.join(', '),
  default: 'table on a terminal, tsv on a pipe',
  choices: LIST_FORMATS,
} as const satisfies OptionSpec

/** `-L`, `--limit` of a list that is shown whole without it. */
export const LIMIT_OPTION = {
  name: 'limit',
  short: 'L',
  value: 'n',
  description: 'show at most this many',
  default: 'all',
  parse: count,
} as const satisfies OptionSpec

/** `--limit`, `--page`, `--all` and `--format` of a list of `nouns`. */
export const listOptions = (nouns: string) =>
  [
    { ...LIMIT_OPTION, default: DEFAULT_LIMIT },
    { name: 'page', value: 'n', description: 'first page (size: --limit)', parse: count },
    { name: 'all', description: `show all ${nouns}` },
    FORMAT_OPTION,
  ] as const satisfies readonly OptionSpec[]

/** The options of a list, as they are parsed. */
export type ListOptions = OptionsOf<ReturnType<typeof listOptions>>
