import type { OptionSpec } from '../command.ts'
import { countOption } from '../input/parse.ts'

/** The options that lists share. */
export interface LimitOptions {
  limit?: number | undefined
  all?: boolean | undefined
  page?: number | undefined
}

/** Items that a list shows without `--limit`. */
export const DEFAULT_LIMIT = 25

/** `--limit`, `--page` and `--all` of a list of `nouns`. */
export const limitOptions = (nouns: string): readonly OptionSpec[] => [
  {
    flags: '--limit <n>',
    description: `show at most this many (default: ${DEFAULT_LIMIT})`,
    parse: countOption('--limit'),
  },
  {
    flags: '--page <n>',
    description: `start at this page of --limit ${nouns}`,
    parse: countOption('--page'),
  },
  { flags: '--all', description: `show all ${nouns}` },
]
