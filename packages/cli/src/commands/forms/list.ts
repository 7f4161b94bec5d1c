import { FORM_STATUSES, type KnownFormStatus } from '@formwire/contract'
import { defineCommand } from '../../command.ts'
import { collect, countLine, DEFAULT_LIMIT, firstPage, type LimitOptions } from '../collect.ts'
import { countOption } from '../parse.ts'
import { formColumns } from './columns.ts'

/** `formwire forms list` */
export const formsList = defineCommand<LimitOptions & { status?: string }>({
  description:
    'Most recently updated first. On a pipe: id, title, status, response count, time of the last change.',
  options: [
    { flags: '--status <status>', description: `only forms in this state: ${FORM_STATUSES.join(', ')}` },
    {
      flags: '--limit <n>',
      description: `show at most this many (default: ${DEFAULT_LIMIT})`,
      parse: countOption('--limit'),
    },
    { flags: '--page <n>', description: 'start at this page of --limit forms', parse: countOption('--page') },
    { flags: '--all', description: 'show them all' },
  ],
  examples: [
    ['formwire forms list --status published', 'the 25 published forms that changed last'],
    ['formwire forms list --all --json | jq -r ".[].id"', 'the id of every form'],
  ],
  exits: [1, 4, 5, 6],
  async run(context, _args, options) {
    const client = await context.client()
    const query = {
      ...firstPage(options),
      ...(options.status === undefined ? {} : { status: options.status as KnownFormStatus }),
    }
    const collected = await collect(context, client.forms.list(query), options, 'forms')
    await context.output.list(collected.items, formColumns(context.runtime.clock.now()))
    await countLine(context, collected, ['form', 'forms'])
  },
})
