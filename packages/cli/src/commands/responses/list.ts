import { type KnownResponseStatus, RESPONSE_STATUSES } from '@formwire/contract'
import { responseColumns } from '../../columns/responses.ts'
import { defineCommand } from '../../command.ts'
import { required, sinceOption } from '../../input/parse.ts'
import { collect, countLine, firstPage } from '../../lists/collect.ts'
import { type LimitOptions, limitOptions } from '../../lists/limit-options.ts'

/** `formwire responses list FORM` */
export const responsesList = defineCommand<LimitOptions & { status?: string; since?: string }>({
  description:
    'When piped, prints tab-separated: id, submission time, status, email, score, the first answers. ' +
    'To process every response, use responses export or responses tail.',
  arguments: [{ name: '<form>', description: 'id of the form' }],
  options: [
    {
      flags: '--status <status>',
      description: `${RESPONSE_STATUSES.join(' or ')} for saved drafts (default: submitted)`,
    },
    {
      flags: '--since <time>',
      description: 'only responses submitted since this ISO 8601 time (no zone: UTC), or a span such as 2h',
    },
    ...limitOptions('responses'),
  ],
  examples: [
    [
      'formwire responses list 8hTq2LmVx4Rb --since 2026-11-01',
      'list the latest 25 responses since 1 November, UTC',
    ],
    [
      'formwire responses list 8hTq2LmVx4Rb --status in_progress --all --json',
      'print every saved draft as JSON',
    ],
  ],
  exits: [1, 3, 4, 5, 6],
  async run(context, [form], options) {
    const client = await context.client()
    const { clock } = context.runtime
    const since = sinceOption(options.since, clock)
    const query = {
      ...firstPage(options),
      ...(options.status === undefined ? {} : { status: options.status as KnownResponseStatus }),
      ...(since === undefined ? {} : { since }),
    }
    const collected = await collect(
      context,
      client.responses.list(required(form), query),
      options,
      'responses',
    )
    await context.output.list(collected.items, responseColumns(clock.now()))
    await countLine(context, collected, ['response', 'responses'])
  },
})
