import type { OptionSpec } from './command.ts'

/** The options that every command accepts, before or after its name. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--base-url <url>',
    description: 'service URL (default: FORMWIRE_BASE_URL or the profile)',
  },
  {
    flags: '--profile <name>',
    description: 'use the key and server of a stored profile (overrides FORMWIRE_API_KEY)',
  },
  { flags: '--json', description: 'print one JSON document (NDJSON for tails)' },
  { flags: '--no-color', description: 'disable colour (NO_COLOR and FORCE_COLOR also apply)' },
  { flags: '--yes', description: 'skip the confirmation before deleting' },
  { flags: '--quiet', description: 'suppress notes and progress; errors are still printed' },
]

const WITH_VALUE: ReadonlySet<string> = new Set(['--base-url', '--profile'])

/**
 * Returns the words of the command line that are neither options nor values of global options, up to `--`: enough to
 * identify the command.
 */
export function commandWords(argv: readonly string[]): string[] {
  const words: string[] = []
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (word === '--') break
    if (WITH_VALUE.has(word)) at += 1
    else if (!word.startsWith('-') || word === '-') words.push(word)
  }
  return words
}

/** Whether to print errors as JSON, including errors in the command line. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json')
}
