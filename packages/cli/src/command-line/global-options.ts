import type { OptionSpec } from '../command.ts'

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
  {
    flags: '--json [fields]',
    description: 'print one JSON document (NDJSON for tails), or only these fields of it, such as id,title',
  },
  { flags: '-y, --yes', description: 'skip the confirmation before deleting' },
  { flags: '-q, --quiet', description: 'suppress notes and progress; errors are still printed' },
  { flags: '--no-wait', description: 'when rate limited, exit with 5 instead of waiting' },
  { flags: '--verbose', description: 'print each request, and method, path and request id with an error' },
  { flags: '--no-color', description: 'disable colour (NO_COLOR and FORCE_COLOR also apply)' },
  { flags: '-v, --version', description: 'print the version' },
  { flags: '-h, --help', description: 'show help' },
]
