import { type FormResponse, type KnownResponseStatus, RESPONSE_STATUSES } from '@formwire/contract'
import { RESPONSE_FIELDS, responseColumns } from '../../columns/responses.ts'
import { defineCommand } from '../../command.ts'
import type { ItemPage, ItemWriter } from '../../export/formats.ts'
import type { ResponseList } from '../../export/oldest-first.ts'
import { choiceOption, required, sinceOption } from '../../input/parse.ts'
import { type ListOptions, listOptions } from '../../lists/list-options.ts'
import { firstPage, showList } from '../../lists/show.ts'
import { FORM } from '../../pickers/arguments.ts'

/** `formwire responses list FORM` */
export const responsesList = defineCommand<ListOptions & { status?: KnownResponseStatus; since?: string }>({
  path: ['responses', 'list'],
  summary: 'list the responses of a form, newest first',
  description:
    'When piped, prints tab-separated: id, submission time, status, email, score, the first answers. ' +
    'To process every response, use responses export or responses tail.',
  arguments: [FORM],
  options: [
    {
      flags: '--status <status>',
      description: `${RESPONSE_STATUSES.join(' or ')} for saved drafts (default: submitted)`,
      parse: choiceOption('--status', RESPONSE_STATUSES),
    },
    {
      flags: '--since <time>',
      description: 'only responses submitted since this ISO 8601 time (no zone: UTC), or a span such as 2h',
    },
    ...listOptions('responses', RESPONSE_FIELDS),
  ],
  examples: [
    [
      'formwire responses list 8hTq2LmVx4Rb --since 2026-11-01',
      'list the latest 25 responses since 1 November, UTC',
    ],
    [
      'formwire responses list 8hTq2LmVx4Rb --columns id,submitted_at,answer.nps',
      'list the answers to the question "nps"',
    ],
    [
      'formwire responses list 8hTq2LmVx4Rb --status in_progress --all --json',
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
      ...firstPage(options),
      ...(options.status === undefined ? {} : { status: options.status }),
      ...(since === undefined ? {} : { since }),
    }
    const view = {
      nouns: ['response', 'responses'],
      columns: responseColumns(context.now),
      fields: RESPONSE_FIELDS,
      csv: (first: ItemPage<FormResponse>, count: number) => csvOf(list, first, count),
    } as const
    const list = (page: number) => client.responses.list(required(form), { ...query, page })
    await showList(context, () => client.responses.list(required(form), query), view, options)
  },
})

/** Returns the writer of the CSV of an export: one column per question. */
async function csvOf(
  list: (page: number) => ResponseList,
  first: ItemPage<FormResponse>,
  count: number,
): Promise<ItemWriter<FormResponse>> {
  const { stdoutCsvWriter } = await import('../../export/stdout-csv.ts')
  return await stdoutCsvWriter(list, first, { order: 'newest', count })
}
