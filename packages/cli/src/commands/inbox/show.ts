import type { InboxQueue, QueueState } from '@formwire/sync/inbox'
import { QUEUED_FIELDS, queuedFields } from '../../columns/queued.ts'
import { answerFields } from '../../columns/responses.ts'
import { defineCommand } from '../../command.ts'
import { EXIT } from '../../exit.ts'
import { Failure } from '../../failure.ts'
import {
  isNamed,
  QUEUE_OPTIONS,
  QUEUE_SOURCE,
  QUEUED_IDS,
  queueTarget,
  withQueue,
} from '../../inbox/queue-options.ts'

/** `formwire inbox show ID --queue postgres` */
export const inboxShow = defineCommand({
  path: ['inbox', 'show'],
  summary: 'show one response in the queue of an inbox, with its answers',
  description:
    'Shows what the respondent wrote, the error of the last attempt and when it was. When piped, prints one line per field: name, tab, text.\n' +
    QUEUE_SOURCE,
  arguments: [{ name: '<id>', description: QUEUED_IDS }],
  options: QUEUE_OPTIONS,
  examples: [
    ['formwire inbox show guestvoice01/4711 --queue postgres --json=response', 'print the payload as JSON'],
  ],
  exits: [1, 3],
  fields: [...QUEUED_FIELDS, 'response'],
  task: ([id]) => `show response ${id} of the queue`,
  check: (context, options) => void queueTarget(context, options),
  async run(context, [id], options) {
    const found = await withQueue(context, options, (queue) => findQueued(queue, id))
    if (!found) {
      throw new Failure(`response ${id} of the queue not found`, {
        exitCode: EXIT.notFound,
        code: 'not_found',
        hint: 'see formwire inbox list',
      })
    }
    const { queued, response } = found
    await context.output.item({ ...queued, response }, [
      ...queuedFields(context.now),
      ...answerFields(response.answers),
    ])
  },
})

const STATES: readonly QueueState[] = ['dead', 'active', 'pending', 'handled']

/** Finds a response by its id in the queue, or by those of its form and itself. */
async function findQueued(queue: InboxQueue, id: string): ReturnType<InboxQueue['get']> {
  if (!id.includes('/')) return await queue.get(id)
  for (const state of STATES) {
    const one = (await queue.list(state)).find((queued) => isNamed(queued, id))
    if (one) return await queue.get(one.id)
  }
  return undefined
}
