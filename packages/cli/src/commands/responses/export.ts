import type { FormResponse, KnownResponseStatus } from '@formwire/contract'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../../export/formats.ts'
import { usage } from '../../failure.ts'
import { required, sinceOption } from '../../input/parse.ts'
import { safeJson } from '../../output/text-safety.ts'

interface ExportOptions {
  format?: string
  since?: string
  status?: string
}

/** `formwire responses export FORM` */
export const responsesExport = defineCommand<ExportOptions>({
  description:
    'Oldest first, each response exactly once even while responses are added or deleted. CSV has one ' +
    'column per question, in the order of the form, and is safe to open in a spreadsheet: text that looks like a ' +
    'formula is prefixed with an apostrophe. Memory use does not depend on the number of responses.',
  arguments: [{ name: '<form>', description: 'id of the form' }],
  options: [
    {
      flags: '--format <format>',
      description: `${EXPORT_FORMATS.join(', ')} (default: csv, or json with --json)`,
    },
    {
      flags: '--since <time>',
      description: 'only responses submitted since this ISO 8601 time (no zone: UTC), or a span such as 7d',
    },
    {
      flags: '--status <status>',
      description: 'submitted, or in_progress for saved drafts, newest first (default: submitted)',
    },
  ],
  examples: [
    [
      'formwire responses export 8hTq2LmVx4Rb > responses.csv',
      'export every response, one column per question',
    ],
    [
      'formwire responses export FORM --format ndjson --since 2026-11-01 | jq .score',
      'export one JSON object per line',
    ],
  ],
  exits: [1, 3, 4, 5, 6],
  async run(context, [form], options) {
    const format = formatOf(options.format, context.output.json)
    const formId = required(form)
    const responses = source(context, formId, options)
    const count =
      format === 'csv'
        ? await writeCsv(context, responses)
        : await writeJson(context, responses, format === 'json')
    context.output.clearProgress()
    context.output.note(count === 0 ? 'no responses found' : `${count} response${count === 1 ? '' : 's'}`)
  },
})

function formatOf(text: string | undefined, json: boolean): ExportFormat {
  if (text === undefined) return json ? 'json' : 'csv'
  if (!EXPORT_FORMATS.includes(text as ExportFormat)) {
    throw usage(`--format must be one of ${EXPORT_FORMATS.join(', ')}, got "${text}"`)
  }
  if (json && text === 'csv') throw usage('--json cannot be combined with --format csv', 'remove one of them')
  return text as ExportFormat
}

async function* source(
  context: Context,
  formId: string,
  options: ExportOptions,
): AsyncGenerator<FormResponse> {
  const client = await context.client()
  const since = sinceOption(options.since, context.runtime.clock)
  // Gives the total for the progress line, and fails on a wrong form or parameter before anything is written.
  const query = {
    ...(since === undefined ? {} : { since }),
    ...(options.status === undefined ? {} : { status: options.status as KnownResponseStatus }),
  }
  const { total } = (await client.responses.list(formId, { ...query, per_page: 1 })).meta
  const submitted = options.status === undefined || options.status === 'submitted'
  const responses = submitted
    ? client.responses.poll(formId, { since, once: true, signal: context.runtime.stop })
    : client.responses.list(formId, { ...query, per_page: 100 })
  let count = 0
  for await (const response of responses) {
    yield response
    count += 1
    if (count % 100 === 0) context.output.progress(`${count} of ${total} responses …`)
  }
}

async function writeJson(
  context: Context,
  responses: AsyncIterable<FormResponse>,
  array: boolean,
): Promise<number> {
  const { output } = context
  let count = 0
  for await (const response of responses) {
    const text = safeJson(response)
    await output.write(array ? `${count === 0 ? '[' : ',\n'}${text}` : `${text}\n`)
    count += 1
  }
  if (array) await output.write(count === 0 ? '[]\n' : ']\n')
  return count
}

/** Writes the responses to a temporary file first: the header needs the questions of all of them. */
async function writeCsv(context: Context, responses: AsyncIterable<FormResponse>): Promise<number> {
  const [{ csvHeader, csvRow }, { QuestionColumns }, { Spool }] = await Promise.all([
    import('../../export/csv.ts'),
    import('../../export/columns.ts'),
    import('../../export/spool.ts'),
  ])
  const spool = await Spool.create<FormResponse>()
  context.onExit(() => spool.close())
  const columns = new QuestionColumns()
  let count = 0
  for await (const response of responses) {
    columns.add(response)
    await spool.add(response)
    count += 1
  }
  await context.output.write(csvHeader(columns))
  for await (const response of spool.items()) await context.output.write(csvRow(response, columns))
  return count
}
