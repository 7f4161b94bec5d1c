import type { OptionSpec, OptionsOf } from '../command.ts'
import { port, positiveSpan } from '../input/parse.ts'

/** The options of `sync`. */
export const SYNC_OPTIONS = [
  { name: 'all', description: 'all forms of the workspace, including later ones' },
  {
    name: 'to',
    value: 'database',
    description: 'sqlite:PATH, postgres, or a postgres:// URL without a password',
  },
  { name: 'once', description: 'exit once the database is up to date' },
  {
    name: 'verify',
    description: 'read every response and repair every row, which also finds changes that counts miss',
  },
  { name: 'no-deletions', description: 'leave the rows of deleted responses as they are' },
  {
    name: 'deleted',
    value: 'what',
    description: 'mark: set deleted_at (default); erase: also clear email, score, answers and meta',
    default: 'mark',
    defaultText: '',
    choices: ['mark', 'erase'],
  },
  { name: 'drafts', description: 'also keep saved drafts, with the status in_progress' },
  {
    name: 'interval',
    value: 'span',
    description: 'time between rounds',
    default: '30s',
    parse: positiveSpan,
  },
  {
    name: 'metrics',
    value: 'port',
    description: 'serve /metrics (Prometheus), /healthz and /readyz on this port (0 = any free port)',
    parse: port,
  },
  { name: 'metrics-host', value: 'host', description: 'address to serve them on', default: '127.0.0.1' },
  {
    name: 'fleet',
    value: 'file',
    description:
      'work for the workspaces of this .json or .mjs file, together with all other processes that do',
  },
] as const satisfies readonly OptionSpec[]

/** The options of `sync`, as they are parsed. */
export type SyncFlags = OptionsOf<typeof SYNC_OPTIONS>
