import { FORM_STATUSES, type KnownFormStatus } from '@formwire/contract'
import { formColumns } from '../../columns/forms.ts'
import { defineCommand } from '../../command.ts'
import { collect, countLine, firstPage } from '../../lists/collect.ts'
import { type LimitOptions, limitOptions } from '../../lists/limit-options.ts'

/** `formwire forms list` */
export const formsList = defineCommand<LimitOptions & { status?: string }>({
  description:
    'Most recently updated first. When piped, prints tab-separated: id, title, status, response count, time of the last update.',
  options: [
    { flags: '--status <status>', description: `only forms with this status: ${FORM_STATUSES.join(', ')}` },
    ...limitOptions('forms'),
  ],
  examples: [
    ['formwire forms list --status published', 'list the 25 most recently updated published forms'],
    ['formwire forms list --all --json | jq -r ".[].id"', 'print the id of every form'],
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
