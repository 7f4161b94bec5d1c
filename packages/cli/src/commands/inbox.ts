import type { InboxQueue, QueueState } from '@formwire/sync/inbox'
import { QUEUED_FIELDS, queuedColumns, queuedFields } from '../columns/queued.ts'
import { answerFields } from '../columns/responses.ts'
import { defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { notFound } from '../failure.ts'
import {
  isNamed,
  QUEUE_OPTIONS,
  QUEUE_SOURCE,
  QUEUED_IDS,
  type QueueOptions,
  queueTarget,
  withDead,
  withQueue,
} from '../inbox/queue-options.ts'
import { confirmDeletion } from '../input/ask.ts'
import { FORMAT_OPTION, LIMIT_OPTION, showItems } from '../lists/list.ts'
import { countOf } from '../output/progress.ts'

const CHECKED = {
  exits: [1, 3],
  check: (context: Context, options: QueueOptions) => void queueTarget(context, options),
} as const

/** What the commands about dead responses share. */
const OF_DEAD = {
  arguments: [{ name: '[id...]', description: QUEUED_IDS }],
  options: [{ name: 'all', description: 'all dead responses' }, ...QUEUE_OPTIONS],
  ...CHECKED,
} as const

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
  examples: {
    'formwire inbox list --queue postgres': 'list the responses that failed for good',
    'formwire inbox list --queue postgres --state pending --json=id': 'print the ids that wait for a worker',
  },
  ...CHECKED,
  fields: QUEUED_FIELDS,
  task: () => 'list the responses of the queue',
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

/** `formwire inbox show ID --queue postgres` */
export const inboxShow = defineCommand({
  path: ['inbox', 'show'],
  summary: 'show one response in the queue of an inbox, with its answers',
  description:
    'Shows what the respondent wrote, the error of the last attempt and when it was. When piped, prints one line per field: name, tab, text.\n' +
    QUEUE_SOURCE,
  arguments: [{ name: '<id>', description: QUEUED_IDS }],
  options: QUEUE_OPTIONS,
  examples: {
    'formwire inbox show guestvoice01/4711 --queue postgres --json=response': 'print the payload as JSON',
  },
  ...CHECKED,
  fields: [...QUEUED_FIELDS, 'response'],
  task: ([id]) => `show response ${id} of the queue`,
  async run(context, [id], options) {
    const found = await withQueue(context, options, (queue) => findQueued(queue, id))
    if (!found)
      throw notFound(
        `response ${id} of the queue not found`,
        'name it FORM/RESPONSE, as formwire inbox list does',
      )
    const { queued, response } = found
    await context.output.item({ ...queued, response }, [
      ...queuedFields(context.now),
      ...answerFields(response.answers),
    ])
  },
})

const SEARCHED: readonly QueueState[] = ['dead', 'active', 'pending', 'handled']

/** Finds a response by its id in the queue, or by those of its form and itself. */
async function findQueued(queue: InboxQueue, id: string): ReturnType<InboxQueue['get']> {
  if (!id.includes('/')) return await queue.get(id)
  for (const state of SEARCHED) {
    const one = (await queue.list(state)).find((queued) => isNamed(queued, id))
    if (one) return await queue.get(one.id)
  }
  return undefined
}

/** `formwire inbox retry ID… --queue postgres` */
export const inboxRetry = defineCommand({
  path: ['inbox', 'retry'],
  summary: 'queue dead responses again',
  description:
    'A worker handles them as if they had just arrived, with all attempts. Fix the cause first. Ids that are not those of dead responses are ' +
    `reported, the others are queued, and the command exits with 3.\n${QUEUE_SOURCE}`,
  ...OF_DEAD,
  examples: {
    'formwire inbox retry --all --queue postgres': 'queue all dead responses again',
    'formwire inbox retry guestvoice01/4711 --queue postgres': 'queue one dead response again',
  },
  fields: ['retried'],
  task: () => 'queue dead responses again',
  run: (context, [given], options) =>
    withDead(context, given, options, async (queue, ids) => {
      const retried = await queue.retry(ids)
      if (context.output.json) await context.output.document({ retried })
      context.output.note(`queued ${countOf(retried, 'response')} again`, 'good')
    }),
})

/** `formwire inbox drop ID… --queue postgres` */
export const inboxDrop = defineCommand({
  path: ['inbox', 'drop'],
  summary: 'delete dead responses from the queue',
  description:
    'They are not handled. The responses at the service stay. Prompts for confirmation; without a terminal, pass --yes. Ids that are not those ' +
    `of dead responses are reported, the others are deleted, and the command exits with 3.\n${QUEUE_SOURCE}`,
  ...OF_DEAD,
  examples: {
    'formwire inbox drop guestvoice01/4711 --queue postgres --yes':
      'delete one dead response without confirmation',
  },
  asks: true,
  fields: ['dropped'],
  task: () => 'delete dead responses',
  run: (context, [given], options) =>
    withDead(context, given, options, async (queue, ids) => {
      const what = `${countOf(ids.length, 'dead response')} from the queue, with its payload`
      if (ids.length > 0) await confirmDeletion(context, async () => what)
      const dropped = await queue.drop(ids)
      if (context.output.json) await context.output.document({ dropped })
      context.output.note(`deleted ${countOf(dropped, 'response')} from the queue`, 'good')
    }),
})
