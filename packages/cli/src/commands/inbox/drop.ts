import { defineCommand } from '../../command.ts'
import {
  chosenIds,
  deadIds,
  notDead,
  QUEUE_OPTIONS,
  QUEUE_SOURCE,
  type QueueOptions,
  queueTarget,
  withQueue,
} from '../../inbox/queue-options.ts'
import { confirmDeletion } from '../../input/ask.ts'
import { countOf } from '../../output/progress.ts'

/** `formwire inbox drop ID… --queue postgres` */
export const inboxDrop = defineCommand<QueueOptions & { all?: boolean }>({
  path: ['inbox', 'drop'],
  summary: 'delete dead responses from the queue',
  description:
    'They are not handled. The responses at the service stay. Prompts for confirmation; without a terminal, pass --yes. Ids that are not those ' +
    `of dead responses are reported, the others are deleted, and the command exits with 3.\n${QUEUE_SOURCE}`,
  arguments: [{ name: '[id...]', description: 'ids of dead responses, as inbox list prints them' }],
  options: [{ flags: '--all', description: 'all dead responses' }, ...QUEUE_OPTIONS],
  examples: [
    ['formwire inbox drop ID --queue postgres --yes', 'delete one dead response without confirmation'],
  ],
  asks: true,
  exits: [1, 3],
  fields: ['dropped'],
  task: () => 'delete dead responses',
  check: (context, options) => void queueTarget(context, options),
  async run(context, [given], options) {
    const ids = chosenIds((given ?? []) as readonly string[], options.all === true)
    const { output } = context
    const missing = await withQueue(context, options, async (queue) => {
      const dead = await deadIds(queue, ids)
      if (dead.found.length > 0) {
        await confirmDeletion(
          context,
          async () => `${countOf(dead.found.length, 'dead response')} from the queue, with its payload`,
        )
      }
      const dropped = await queue.drop(dead.found)
      if (output.json) await output.document({ dropped })
      output.note(`deleted ${countOf(dropped, 'response')} from the queue`, 'good')
      return dead.missing
    })
    if (missing.length > 0) throw notDead(missing)
  },
})
