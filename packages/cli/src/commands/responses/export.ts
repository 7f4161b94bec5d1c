import { type KnownResponseStatus, RESPONSE_STATUSES } from '@formwire/contract'
import { RESPONSE_FIELDS } from '../../columns/responses.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import type { ExportFormat } from '../../export/formats.ts'
import { usage } from '../../failure.ts'
import { choiceOption, countOption, required, sinceOption } from '../../input/parse.ts'
import { countOf } from '../../output/progress.ts'
import { FORM } from '../../pickers/arguments.ts'

const FORMATS = ['csv', 'ndjson', 'json'] as const satisfies readonly ExportFormat[]
const ORDERS = ['oldest', 'newest'] as const

interface ExportOptions {
  format?: ExportFormat
  since?: string
  status?: KnownResponseStatus
  order?: (typeof ORDERS)[number]
  limit?: number
  output?: string
  resume?: boolean
}

/** `formwire responses export FORM` */
export const responsesExport = defineCommand<ExportOptions>({
  path: ['responses', 'export'],
  summary: 'export all responses as CSV, NDJSON or JSON',
  description:
    'Each response exactly once even while responses are added or deleted; fails if the service lists responses in another order than newest first, so that some are missing. CSV has one column per question, in the order ' +
    'of the form, and is safe to open in a spreadsheet: text that it would run gets an apostrophe before it, also after a ; or ' +
    'tab. A + or - before digits, spaces and parentheses alone, as in +49 (0)30 1234, stays as it is. It is UTF-8 without a byte order mark. Memory use does not depend on the number of responses.\n' +
    'Rows are written as they are read: newest first page by page; oldest first in blocks, the first of one page. A CSV on ' +
    'stdout of at most 1,000 responses is written when all are read. The header of a longer one has the questions of a ' +
    'sample; answers to others are in its last column, other_answers. With --output, every question has its own column.\n' +
    'With --output, responses are collected in FILE.part, and FILE is written when all are there. After an interruption, ' +
    '--resume continues with that file; newest first, without the responses that have arrived since. When rate limited, ' +
    'waits as often as necessary.',
  arguments: [FORM],
  options: [
    {
      flags: '--format <format>',
      description: `${FORMATS.join(', ')} (default: from the --output extension, json with --json, else csv)`,
      parse: choiceOption('--format', FORMATS),
    },
    {
      flags: '--since <time>',
      description:
        'only responses submitted since this ISO 8601 time (no zone: UTC), or a span such as 7d or 2w',
    },
    {
      flags: '--status <status>',
      description: 'submitted, or in_progress for saved drafts, newest first (default: submitted)',
      parse: choiceOption('--status', RESPONSE_STATUSES),
    },
    {
      flags: '--order <order>',
      description: 'oldest or newest first (default: oldest)',
      parse: choiceOption('--order', ORDERS),
    },
    {
      flags: '-L, --limit <n>',
      description: 'export at most this many',
      parse: countOption('--limit'),
    },
    { flags: '-o, --output <file>', description: 'write to this file, created only once complete' },
    { flags: '--resume', description: 'with --output: continue an interrupted export' },
  ],
  examples: [
    [
      'formwire responses export 8hTq2LmVx4Rb --output responses.csv',
      'export every response, one column per question',
    ],
    ['formwire responses export FORM --output responses.csv --resume', 'continue after an interruption'],
    [
      'formwire responses export FORM --format ndjson --since 2026-11-01 | jq .score',
      'export one JSON object per line',
    ],
  ],
  exits: [1, 3, 4, 5, 6],
  fields: RESPONSE_FIELDS,
  task: ([form]) => `export the responses of form ${form}`,
  check(_context, options) {
    const isDrafts = options.status === 'in_progress'
    if (isDrafts && options.order === 'oldest')
      throw usage('drafts are listed newest first', 'remove --order')
    if (options.resume && (options.output ?? '-') === '-')
      throw usage('--resume requires --output FILE', 'add --output FILE')
    if (options.resume && isDrafts) {
      throw usage(
        '--resume cannot be combined with --status in_progress',
        'saving a draft again changes its place in the list: remove --resume, and delete the .part file if there is one',
      )
    }
  },
  async run(context, [form], options) {
    const { output, runtime } = context
    const order = options.order ?? (options.status === 'in_progress' ? 'newest' : 'oldest')
    const file = options.output === '-' ? undefined : options.output
    const what = {
      formId: required(form),
      format: formatOf(context, options.format, file),
      order,
      sinceText: options.since,
      since: sinceOption(options.since, runtime.clock),
      status: options.status,
      limit: options.limit,
    }
    if (file !== undefined) await checkFile(file)
    if (file !== undefined && options.resume && (await isComplete(file))) {
      return output.note(`${file} is complete: there is no unfinished export to resume`, 'calm')
    }
    const { exportToFile, exportToStdout } = await import('../../export/run.ts')
    const count =
      file === undefined
        ? await exportToStdout(context, what)
        : await exportToFile(context, what, file, options.resume === true)
    output.clearProgress()
    const text = count === 0 ? 'no responses found' : countOf(count, 'response')
    output.note(file === undefined ? text : `${text} in ${file}`, 'good')
  },
})

const EXTENSIONS: Readonly<Record<string, ExportFormat>> = {
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
}

/** Returns the format that is given, else that of the file's name. Notes a name that does not fit. */
function formatOf(
  { output }: Context,
  given: ExportFormat | undefined,
  file: string | undefined,
): ExportFormat {
  const extension = /\.(\w+)$/.exec(file ?? '')?.[1]?.toLowerCase() ?? ''
  if (/^(?:xlsx?|ods)$/.test(extension)) {
    throw usage(
      `an export cannot be written as ${extension}, got --output ${file}`,
      'choose a name that ends with .csv, which spreadsheets open',
    )
  }
  const named = EXTENSIONS[extension]
  if (output.json && (given ?? named) === 'csv') {
    throw given === 'csv'
      ? usage('--json cannot be combined with --format csv', 'remove one of them')
      : usage(
          `--json cannot be combined with --output ${file}`,
          'remove --json, or choose a name that ends with .json or .ndjson',
        )
  }
  const format = given ?? named ?? (output.json ? 'json' : 'csv')
  if (named !== undefined && named !== format)
    output.note(`${file} is written as ${format}, as --format says`, 'wait')
  return format
}

/** @throws Failure exit 2 for a directory */
async function checkFile(file: string): Promise<void> {
  const { existsSync, statSync } = await import('node:fs')
  const isDirectory = file.endsWith('/') || (existsSync(file) && statSync(file).isDirectory())
  if (file !== '' && !isDirectory) return
  throw usage(
    `--output must be a file, got "${file}"`,
    'pass a file in this directory, such as responses.csv',
  )
}

/** Whether an export to this file has ended, and no other one is unfinished. */
async function isComplete(file: string): Promise<boolean> {
  const [{ existsSync }, { partPath }] = await Promise.all([
    import('node:fs'),
    import('../../export/part-file.ts'),
  ])
  return existsSync(file) && !existsSync(partPath(file))
}
