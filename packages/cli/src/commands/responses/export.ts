import { RESPONSE_FIELDS } from '../../columns/responses.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { EXPORT_OPTIONS, type ExportFormat } from '../../export/export-options.ts'
import { usage } from '../../failure.ts'
import { sinceOption } from '../../input/parse.ts'
import { countOf } from '../../output/progress.ts'
import { FORM } from '../../pickers/arguments.ts'

/** `formwire responses export FORM` */
export const responsesExport = defineCommand({
  path: ['responses', 'export'],
  summary: 'export all responses as CSV, NDJSON or JSON',
  description:
    'Each response exactly once even while responses are added or deleted; fails if the service lists responses in another order than newest first, so that some are missing. CSV has one column per question, in the order ' +
    'of the form, and per member of meta, each with a name of its own, and is safe to open in a spreadsheet: text that it would run gets an apostrophe before it, also after a ; or ' +
    'tab. A + or - before digits, spaces and parentheses alone, as in +49 (0)30 1234, stays as it is. It is UTF-8, with a byte order mark only for --bom. Memory use does not depend on the number of responses.\n' +
    'Oldest first, in blocks that are written as they are read, the first of one page; drafts newest first. A CSV on ' +
    'stdout of at most 1,000 responses is written when all are read. The header of a longer one has the questions of a ' +
    'sample; answers to others are in its last column, other_answers. With --output, every question has its own column.\n' +
    'With --output, FILE is written when all responses are there. An interrupted export as NDJSON leaves them in FILE.part, ' +
    'with which --resume continues. When rate limited, waits as often as necessary.',
  arguments: [FORM],
  options: EXPORT_OPTIONS,
  examples: {
    'formwire responses export guestvoice01 --output responses.csv':
      'export every response, one column per question',
    'formwire responses export FORM --output responses.ndjson --resume': 'continue after an interruption',
    'formwire responses export FORM --format ndjson --since 2026-11-01 | jq .score':
      'export one JSON object per line',
  },
  exits: [1, 3, 4, 5, 6],
  fields: RESPONSE_FIELDS,
  task: ([form]) => `export the responses of form ${form}`,
  check(context, { resume, status, format: given, output, bom }) {
    const format = formatOf(context, given, output)
    if (bom && format !== 'csv') throw usage(`--bom is for csv, not for ${format}`, 'remove --bom')
    if (!resume) return
    if ((output ?? '-') === '-') throw usage('--resume requires --output FILE', 'add --output FILE')
    if (format !== 'ndjson') {
      throw usage(
        `--resume continues NDJSON only, not ${format}`,
        'remove --resume, or choose a name that ends with .ndjson',
      )
    }
    if (status === 'in_progress') {
      throw usage(
        '--resume cannot be combined with --status in_progress',
        'saving a draft again changes its place in the list: remove --resume',
      )
    }
  },
  async run(context, [form], options) {
    const { output, runtime } = context
    const file = options.output === '-' ? undefined : options.output
    const format = formatOf(context, options.format, file)
    const named = formatNamed(file)
    if (named !== undefined && named !== format)
      output.note(`${file} is written as ${format}, as --format says`, 'wait')
    const what = { ...options, formId: form, format, since: sinceOption(options.since, runtime.clock) }
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

const extensionOf = (file: string | undefined): string =>
  /\.(\w+)$/.exec(file ?? '')?.[1]?.toLowerCase() ?? ''

const formatNamed = (file: string | undefined): ExportFormat | undefined => EXTENSIONS[extensionOf(file)]

/** Returns the format that is given, else that of the file's name. @throws Failure exit 2 */
function formatOf(
  { output }: Context,
  given: ExportFormat | undefined,
  file: string | undefined,
): ExportFormat {
  const extension = extensionOf(file)
  if (/^(?:xlsx?|ods)$/.test(extension)) {
    throw usage(
      `an export cannot be written as ${extension}, got --output ${file}`,
      'choose a name that ends with .csv, which spreadsheets open',
    )
  }
  const named = formatNamed(file)
  if (output.json && (given ?? named) === 'csv') {
    throw given === 'csv'
      ? usage('--json cannot be combined with --format csv', 'remove one of them')
      : usage(
          `--json cannot be combined with --output ${file}`,
          'remove --json, or choose a name that ends with .json or .ndjson',
        )
  }
  return given ?? named ?? (output.json ? 'json' : 'csv')
}

/** Whether an export to this file has ended, and no other one is unfinished. */
async function isComplete(file: string): Promise<boolean> {
  const [{ existsSync, statSync }, { partPath }] = await Promise.all([
    import('node:fs'),
    import('../../files/part-file.ts'),
  ])
  return existsSync(file) && statSync(file).isFile() && !existsSync(partPath(file))
}
