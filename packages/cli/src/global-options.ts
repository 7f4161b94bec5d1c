import type { OptionSpec } from './command.ts'

/** The options that stand before or after every command. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--base-url <url>',
    description: 'root of the service; else FORMWIRE_BASE_URL or the profile (no default)',
  },
  {
    flags: '--profile <name>',
    description: 'use the key and server of a stored profile; beats FORMWIRE_API_KEY',
  },
  { flags: '--json', description: 'print bare data as one JSON document, or as NDJSON for streams' },
  { flags: '--no-color', description: 'no colour (NO_COLOR and FORCE_COLOR are obeyed too)' },
  { flags: '--yes', description: 'do not ask before deleting' },
  { flags: '--quiet', description: 'no remarks and no progress on stderr; errors are still told' },
]

const WITH_VALUE: ReadonlySet<string> = new Set(['--base-url', '--profile'])

/**
 * The words of the command line that are neither global options nor their values, up to the first option that is not
 * global: enough to see which command is meant before any command is loaded.
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

/** Whether errors are to be JSON, also when the command line could not be read. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json')
}
