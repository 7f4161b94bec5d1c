import { defineCommand } from '../../command.ts'
import { QUEUE_OPTIONS, QUEUE_SOURCE, QUEUED_IDS, queueTarget, withDead } from '../../inbox/queue-options.ts'
import { countOf } from '../../output/progress.ts'

/** `formwire inbox retry ID… --queue postgres` */
export const inboxRetry = defineCommand({
  path: ['inbox', 'retry'],
  summary: 'queue dead responses again',
  description:
    'A worker handles them as if they had just arrived, with all attempts. Fix the cause first. Ids that are not those of dead responses are ' +
    `reported, the others are queued, and the command exits with 3.\n${QUEUE_SOURCE}`,
  arguments: [{ name: '[id...]', description: QUEUED_IDS }],
  options: [{ name: 'all', description: 'all dead responses' }, ...QUEUE_OPTIONS],
  examples: [
    ['formwire inbox retry --all --queue postgres', 'queue all dead responses again'],
    ['formwire inbox retry guestvoice01/4711 --queue postgres', 'queue one dead response again'],
  ],
  exits: [1, 3],
  fields: ['retried'],
  task: () => 'queue dead responses again',
  check: (context, options) => void queueTarget(context, options),
  async run(context, [given], options) {
    const { output } = context
    await withDead(context, given, options, async (queue, ids) => {
      const retried = await queue.retry(ids)
      if (output.json) await output.document({ retried })
      output.note(`queued ${countOf(retried, 'response')} again`, 'good')
    })
  },
})
