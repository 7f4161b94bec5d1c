import type { OptionSpec } from '../command.ts'
import { checkField } from '../command-line/json-fields.ts'
import { choiceOption, countOption } from '../input/parse.ts'

/** How a list can be printed. */
const LIST_FORMATS = ['table', 'tsv', 'csv', 'json', 'ndjson'] as const

/** A format of a list. */
export type ListFormat = (typeof LIST_FORMATS)[number]

/** The option that every list has. */
export interface FormatOption {
  format?: ListFormat | undefined
}

/** The options that lists share. */
export interface ListOptions extends FormatOption {
  limit?: number | undefined
  all?: boolean | undefined
  page?: number | undefined
  columns?: string[] | undefined
}

/** Items that a list shows without `--limit`. */
export const DEFAULT_LIMIT = 25

/** `--format` of a list. */
export const FORMAT_OPTION: OptionSpec = {
  flags: '--format <format>',
  description: `${LIST_FORMATS.join(', ')} (default: table on a terminal, tsv on a pipe)`,
  parse: choiceOption('--format', LIST_FORMATS),
}

/** `-L`, `--limit` of a list that is shown whole without it. */
export const LIMIT_OPTION: OptionSpec = {
  flags: '-L, --limit <n>',
  description: 'show at most this many (default: all)',
  parse: countOption('--limit'),
}

/** The options of a list that is shown whole without `--limit`. */
export interface WholeListOptions extends FormatOption {
  limit?: number | undefined
}

/** `--limit`, `--page`, `--all`, `--columns` and `--format` of a list of `nouns` with these fields. */
export const listOptions = (nouns: string, fields: readonly string[]): readonly OptionSpec[] => [
  {
    flags: '-L, --limit <n>',
    description: `show at most this many (default: ${DEFAULT_LIMIT})`,
    parse: countOption('--limit'),
  },
  {
    flags: '--page <n>',
    description: 'first page (size: --limit)',
    parse: countOption('--page'),
  },
  { flags: '--all', description: `show all ${nouns}` },
  {
    flags: '--columns <fields>',
    description: `show these columns: ${fields.join(', ')}`,
    parse: (text: string) => {
      const names = text.split(',').map((name) => name.trim())
      for (const name of names) checkField('--columns', name, fields)
      return names
    },
  },
  FORMAT_OPTION,
]
