import { defineCommand } from '../../command.ts'
import { QUEUE_OPTIONS, QUEUE_SOURCE, QUEUED_IDS, queueTarget, withDead } from '../../inbox/queue-options.ts'
import { confirmDeletion } from '../../input/ask.ts'
import { countOf } from '../../output/progress.ts'

/** `formwire inbox drop ID… --queue postgres` */
export const inboxDrop = defineCommand({
  path: ['inbox', 'drop'],
  summary: 'delete dead responses from the queue',
  description:
    'They are not handled. The responses at the service stay. Prompts for confirmation; without a terminal, pass --yes. Ids that are not those ' +
    `of dead responses are reported, the others are deleted, and the command exits with 3.\n${QUEUE_SOURCE}`,
  arguments: [{ name: '[id...]', description: QUEUED_IDS }],
  options: [{ name: 'all', description: 'all dead responses' }, ...QUEUE_OPTIONS],
  examples: [
    [
      'formwire inbox drop guestvoice01/4711 --queue postgres --yes',
      'delete one dead response without confirmation',
    ],
  ],
  asks: true,
  exits: [1, 3],
  fields: ['dropped'],
  task: () => 'delete dead responses',
  check: (context, options) => void queueTarget(context, options),
  async run(context, [given], options) {
    const { output } = context
    await withDead(context, given, options, async (queue, ids) => {
      if (ids.length > 0) {
        await confirmDeletion(
          context,
          async () => `${countOf(ids.length, 'dead response')} from the queue, with its payload`,
        )
      }
      const dropped = await queue.drop(ids)
      if (output.json) await output.document({ dropped })
      output.note(`deleted ${countOf(dropped, 'response')} from the queue`, 'good')
    })
  },
})
