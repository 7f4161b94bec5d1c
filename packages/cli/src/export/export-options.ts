import { RESPONSE_STATUSES } from '@formwire/contract'
import type { OptionSpec, OptionsOf } from '../command.ts'
import { count, RATE } from '../input/parse.ts'

const FORMATS = ['csv', 'ndjson', 'json'] as const

/** A format of an export. */
export type ExportFormat = (typeof FORMATS)[number]

/** The options of `responses export`. */
export const EXPORT_OPTIONS = [
  {
    name: 'format',
    value: 'format',
    description: FORMATS.join(', '),
    default: 'from the --output extension, json with --json, else csv',
    choices: FORMATS,
  },
  {
    name: 'since',
    value: 'time',
    description:
      'only responses submitted since this ISO 8601 time (no zone: UTC), or a span such as 7d or 2w',
  },
  {
    name: 'status',
    value: 'status',
    description: 'submitted, or in_progress for saved drafts, newest first',
    default: 'submitted',
    choices: RESPONSE_STATUSES,
  },
  { name: 'limit', short: 'L', value: 'n', description: 'export at most this many', parse: count },
  {
    name: 'output',
    short: 'o',
    value: 'file',
    description: 'write to this file, created only once complete',
  },
  { name: 'bom', description: 'begin a CSV with a byte order mark, for spreadsheets' },
  RATE,
  { name: 'resume', description: 'with --output: continue an interrupted export as NDJSON' },
] as const satisfies readonly OptionSpec[]

/** What to export, and how: `since` is a time of the API. */
export type ExportRequest = OptionsOf<typeof EXPORT_OPTIONS> & { formId: string; format: ExportFormat }
