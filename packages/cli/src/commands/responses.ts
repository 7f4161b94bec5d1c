import { type FormResponse, RESPONSE_STATUSES } from '@formwire/contract'
import { RESPONSE_FIELDS, responseColumns, responseFields } from '../columns/responses.ts'
import { defineCommand } from '../command.ts'
import type { ItemPage, ItemWriter, stdoutCsvWriter } from '../export/formats.ts'
import { usage } from '../failure.ts'
import { count, idArgument, sinceOption } from '../input/parse.ts'
import { listOptions, type PageQuery, showList } from '../lists/list.ts'
import { FORM } from '../pickers/arguments.ts'
import { chooseResponse } from '../pickers/choose.ts'

/** `formwire responses list FORM` */
export const responsesList = defineCommand({
  path: ['responses', 'list'],
  summary: 'list the responses of a form, newest first',
  description:
    'On a terminal, shows the answers by question, as many as fit. When piped, prints tab-separated: id, submission time, status with --status, email, score, the first answers. ' +
    'To process every response, use responses export or responses tail.',
  arguments: [FORM],
  options: [
    {
      name: 'status',
      value: 'status',
      description: `${RESPONSE_STATUSES.join(' or ')} for saved drafts`,
      default: 'submitted',
      choices: RESPONSE_STATUSES,
    },
    {
      name: 'since',
      value: 'time',
      description: 'only responses submitted since this ISO 8601 time (no zone: UTC), or a span such as 2h',
    },
    ...listOptions('responses'),
  ],
  examples: {
    'formwire responses list guestvoice01 --since 2026-11-01':
      'list the latest 25 responses since 1 November, UTC',
    'formwire responses list guestvoice01 --json=id,submitted_at,answer.nps':
      'print the answers to the question "nps" as JSON',
    'formwire responses list guestvoice01 --status in_progress --all --json':
      'print every saved draft as JSON',
  },
  exits: [1, 3, 4, 5, 6],
  fields: RESPONSE_FIELDS,
  task: ([form]) => `list the responses of form ${form}`,
  async run(context, [form], options) {
    const { clock } = context.runtime
    const since = sinceOption(options.since, clock)
    const client = await context.client()
    const { status } = options
    const view = {
      nouns: ['response', 'responses'],
      columns: responseColumns(context.now, status !== undefined),
      table: async (responses: readonly FormResponse[]) => {
        const { responseTable } = await import('../columns/response-table.ts')
        return responseTable(context.now, responses)
      },
      fields: RESPONSE_FIELDS,
      csv: (first: ItemPage<FormResponse>, total: number) =>
        csvOf({
          total,
          pages: async () => new Map([[first.meta.page, first]]),
          page: (page, per_page) => list({ page, per_page }),
        }),
    } as const
    const list = (page: PageQuery) => client.responses.list(form, { status, since, ...page })
    await showList(context, list, view, options)
  },
})

/** Returns the writer of the CSV of an export: one column per question. */
async function csvOf(source: Parameters<typeof stdoutCsvWriter>[0]): Promise<ItemWriter<FormResponse>> {
  const { stdoutCsvWriter } = await import('../export/formats.ts')
  return await stdoutCsvWriter(source, 'newest')
}

/** `formwire responses get FORM ID` */
export const responsesGet = defineCommand({
  path: ['responses', 'get'],
  summary: 'show one response with its answers',
  description:
    'When piped, prints one line per field: name, tab, text. The name of an answer is answer.ID, with the id of its question. ' +
    'Further lines of an answer begin with a tab.',
  arguments: [FORM, { name: '<id>', description: 'id of the response', choose: chooseResponse }],
  examples: {
    'formwire responses get guestvoice01 42': 'show response 42 with all its answers',
    'formwire responses get guestvoice01 42 --json=email,answer.nps':
      'print its email and one answer as JSON',
  },
  exits: [1, 3, 4, 5, 6],
  fields: RESPONSE_FIELDS,
  task: ([form, id]) => `show response ${id} of form ${form}`,
  async run(context, [form, id]) {
    const responseId = idArgument('response', id)
    const response = await (await context.client()).responses.get(form, responseId)
    await context.output.item(response, responseFields(response, context.now))
  },
})

/** Limit of `--count`. */
const MAX_COUNT = 10_000

/** `formwire responses submit FORM` */
export const responsesSubmit = defineCommand({
  path: ['responses', 'submit'],
  summary: 'submit a response to a form of a reference server',
  description:
    'Submits a response through the public link of a form on a reference server, so that its webhooks are sent. The ' +
    'answers are generated, without files, or read with --data: {"answers": [{"question_id", "value"}], "email"}, or an object with one ' +
    'value per question id. When piped, prints tab-separated: id, status.',
  arguments: [FORM],
  options: [
    { name: 'data', value: 'file', description: 'JSON file with the answers; - reads stdin' },
    { name: 'email', value: 'address', description: 'email of the respondent' },
    {
      name: 'count',
      value: 'n',
      description: 'number of responses (default: 1); with --json, more than one are printed as NDJSON',
      default: 1,
      defaultText: '',
      parse: (text: string, option: string) => {
        const number = count(text, option)
        if (number <= MAX_COUNT) return number
        throw usage(`--count must be at most ${MAX_COUNT}, got "${text}"`)
      },
    },
  ],
  examples: {
    'formwire responses submit guestvoice01': 'submit generated answers',
    'echo \'{"name": "Ada", "stars": 5}\' | formwire responses submit FORM --data -': 'submit these answers',
  },
  exits: [1, 3, 4, 5, 6],
  fields: ['id', 'status'],
  task: ([form]) => `submit a response to form ${form}`,
  async run(context, [formId], { data, email, count = 1 }) {
    const { output } = context
    const { readSubmission, submitted } = await import('../submit/public-link.ts')
    const given = data === undefined ? undefined : await readSubmission(context.runtime, data)
    const form = await (await context.client()).forms.get(formId)
    for await (const response of submitted(context, form, { given, email, count })) {
      const { id, status } = response
      const line = output.isTerminal ? `response ${id} of form ${formId}: ${status}` : `${id}\t${status}`
      if (!output.json) await output.line(line)
      else await (count === 1 ? output.document(response) : output.record(response))
    }
  },
})
