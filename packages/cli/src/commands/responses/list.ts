import { type FormResponse, RESPONSE_STATUSES } from '@formwire/contract'
import { RESPONSE_FIELDS, responseColumns } from '../../columns/responses.ts'
import { defineCommand } from '../../command.ts'
import type { ItemPage, ItemWriter, stdoutCsvWriter } from '../../export/formats.ts'
import { sinceOption } from '../../input/parse.ts'
import { listOptions } from '../../lists/list-options.ts'
import { type PageQuery, showList } from '../../lists/show.ts'
import { FORM } from '../../pickers/arguments.ts'

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
  examples: [
    [
      'formwire responses list guestvoice01 --since 2026-11-01',
      'list the latest 25 responses since 1 November, UTC',
    ],
    [
      'formwire responses list guestvoice01 --json=id,submitted_at,answer.nps',
      'print the answers to the question "nps" as JSON',
    ],
    [
      'formwire responses list guestvoice01 --status in_progress --all --json',
      'print every saved draft as JSON',
    ],
  ],
  exits: [1, 3, 4, 5, 6],
  fields: RESPONSE_FIELDS,
  task: ([form]) => `list the responses of form ${form}`,
  async run(context, [form], options) {
    const { clock } = context.runtime
    const since = sinceOption(options.since, clock)
    const client = await context.client()
    const query = {
      ...(options.status === undefined ? {} : { status: options.status }),
      ...(since === undefined ? {} : { since }),
    }
    const view = {
      nouns: ['response', 'responses'],
      columns: responseColumns(context.now, options.status !== undefined),
      table: async (responses: readonly FormResponse[]) => {
        const { responseTable } = await import('../../columns/response-table.ts')
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
    const list = (page: PageQuery) => client.responses.list(form, { ...query, ...page })
    await showList(context, list, view, options)
  },
})

/** Returns the writer of the CSV of an export: one column per question. */
async function csvOf(source: Parameters<typeof stdoutCsvWriter>[0]): Promise<ItemWriter<FormResponse>> {
  const { stdoutCsvWriter } = await import('../../export/formats.ts')
  return await stdoutCsvWriter(source, 'newest')
}
