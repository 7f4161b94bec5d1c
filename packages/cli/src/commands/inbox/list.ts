import { QUEUED_FIELDS, queuedColumns } from '../../columns/queued.ts'
import { defineCommand } from '../../command.ts'
import { QUEUE_OPTIONS, QUEUE_SOURCE, queueTarget, withQueue } from '../../inbox/queue-options.ts'
import { FORMAT_OPTION, LIMIT_OPTION, showItems } from '../../lists/list.ts'

const STATES = ['dead', 'pending', 'active', 'handled'] as const

/** `formwire inbox list --queue postgres` */
export const inboxList = defineCommand({
  path: ['inbox', 'list'],
  summary: 'list the responses in the queue of an inbox',
  description:
    'Lists dead responses, oldest first: those that failed as often as the queue allows. With --state, lists others. Shows nothing that a ' +
    `respondent wrote. When piped, prints tab-separated: id, form, response, source, attempts, queue time, end, error.\n${QUEUE_SOURCE}`,
  options: [
    ...QUEUE_OPTIONS,
    {
      name: 'state',
      value: 'state',
      description: 'dead (default), pending, active or handled',
      default: 'dead',
      defaultText: '',
      choices: STATES,
    },
    LIMIT_OPTION,
    FORMAT_OPTION,
  ],
  examples: [
    ['formwire inbox list --queue postgres', 'list the responses that failed for good'],
    [
      'formwire inbox list --queue postgres --state pending --json=id',
      'print the ids that wait for a worker',
    ],
  ],
  exits: [1, 3],
  fields: QUEUED_FIELDS,
  task: () => 'list the responses of the queue',
  check: (context, options) => void queueTarget(context, options),
  async run(context, _args, options) {
    const { state = 'dead', limit } = options
    const found = await withQueue(context, options, (queue) => queue.list(state, limit))
    const view = {
      nouns: [`${state} response`, `${state} responses`],
      columns: queuedColumns(context.now),
      fields: QUEUED_FIELDS,
    } as const
    await showItems(context, found, view, { format: options.format })
  },
})
