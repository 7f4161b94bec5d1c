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
import { countOf } from '../../output/progress.ts'

/** `formwire inbox retry ID… --queue postgres` */
export const inboxRetry = defineCommand<QueueOptions & { all?: boolean }>({
  path: ['inbox', 'retry'],
  summary: 'queue dead responses again',
  description:
    'A worker handles them as if they had just arrived, with all attempts. Fix the cause first. Ids that are not those of dead responses are ' +
    `reported, the others are queued, and the command exits with 3.\n${QUEUE_SOURCE}`,
  arguments: [{ name: '[id...]', description: 'ids of dead responses, as inbox list prints them' }],
  options: [{ flags: '--all', description: 'all dead responses' }, ...QUEUE_OPTIONS],
  examples: [['formwire inbox retry --all --queue postgres', 'queue all dead responses again']],
  exits: [1, 3],
  fields: ['retried'],
  task: () => 'queue dead responses again',
  check: (context, options) => void queueTarget(context, options),
  async run(context, [given], options) {
    const ids = chosenIds((given ?? []) as readonly string[], options.all === true)
    const { output } = context
    const missing = await withQueue(context, options, async (queue) => {
      const dead = await deadIds(queue, ids)
      const retried = await queue.retry(dead.found)
      if (output.json) await output.document({ retried })
      output.note(`queued ${countOf(retried, 'response')} again`, 'good')
      return dead.missing
    })
    if (missing.length > 0) throw notDead(missing)
  },
})
