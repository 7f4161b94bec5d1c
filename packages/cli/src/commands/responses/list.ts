import { type KnownResponseStatus, RESPONSE_STATUSES } from '@formwire/contract'
import { defineCommand } from '../../command.ts'
import { collect, countLine, DEFAULT_LIMIT, firstPage, type LimitOptions } from '../collect.ts'
import { countOption, required, sinceOption } from '../parse.ts'
import { responseColumns } from './columns.ts'

/** `formwire responses list FORM` */
export const responsesList = defineCommand<LimitOptions & { status?: string; since?: string }>({
  description:
    'Newest first. On a pipe: id, time of submission, status, email, score, the first answers. ' +
    'To take in every response, use responses export or responses tail.',
  arguments: [{ name: '<form>', description: 'id of the form' }],
  options: [
    {
      flags: '--status <status>',
      description: `${RESPONSE_STATUSES.join(' or ')} (saved drafts); default: submitted`,
    },
    {
      flags: '--since <time>',
      description: 'submitted at or after this ISO 8601 time (no zone: UTC), or a span such as 2h',
    },
    {
      flags: '--limit <n>',
      description: `show at most this many (default: ${DEFAULT_LIMIT})`,
      parse: countOption('--limit'),
    },
    {
      flags: '--page <n>',
      description: 'start at this page of --limit responses',
      parse: countOption('--page'),
    },
    { flags: '--all', description: 'show them all' },
  ],
  examples: [
    [
      'formwire responses list 8hTq2LmVx4Rb --since 2026-11-01',
      'the latest 25 responses since 1 November, UTC',
    ],
    ['formwire responses list 8hTq2LmVx4Rb --status in_progress --all --json', 'every saved draft as JSON'],
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
