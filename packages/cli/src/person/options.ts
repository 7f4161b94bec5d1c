import type { ResponseIds } from '@formwire/sync'
import type { ArgumentSpec, OptionSpec } from '../command.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { QUEUE_OPTIONS, type QueueOptions, queueTarget } from '../inbox/queue-options.ts'
import { parseTarget, schemaOption } from '../input/database-target.ts'
import { repeatedOption, responseIds } from '../input/parse.ts'
import type { PersonRequest } from './run.ts'

/** The options of `person find` and `person erase`, as parsed by commander. */
export interface PersonFlags extends QueueOptions {
  to?: string
  tablesSchema?: string
  recordings?: string[]
  response?: ResponseIds[]
  form?: string[]
  /** False after `--no-service`. */
  service?: boolean
}

const ARGUMENTS: readonly ArgumentSpec[] = [
  { name: '<email>', description: 'email address of the person; - reads it from stdin' },
]

const notEmpty = (name: string) =>
  repeatedOption((text) => {
    if (text === '') throw usage(`${name} must not be empty`)
    return [text]
  })

const OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--to <database>',
    description:
      'also the database of formwire sync: sqlite:PATH, postgres, or a postgres:// URL without a password',
  },
  schemaOption('--tables-schema'),
  ...QUEUE_OPTIONS.map((option) =>
    option.flags.startsWith('--queue')
      ? { ...option, description: `also the queue of an inbox: ${option.description}` }
      : option,
  ),
  {
    flags: '--recordings <path>',
    description:
      'also this file or folder: recordings of listen, seeds, exports and lists as JSON, NDJSON or CSV; repeatable',
    parse: notEmpty('--recordings'),
  },
  {
    flags: '--form <id>',
    description:
      'only this form, at the service, in the database and in the queue (default: all forms); repeatable',
    parse: notEmpty('--form'),
  },
  {
    flags: '--response <form/id>',
    description:
      'also copies of this response outside the service, such as one that the service has deleted; repeatable',
    parse: repeatedOption((text) => {
      const ids = responseIds(text)
      if (ids) return [ids]
      throw usage(`--response must be a form id, a slash and a response id, got "${text}"`)
    }),
  },
  { flags: '--no-service', description: 'leave out the service' },
]

/** Says in the help how the address is passed and compared. */
export const PERSON_DESCRIPTION =
  'A response belongs to the person if its email, or the whole answer to any question, is the address; letter case does not matter. ' +
  'Searches the service if one is configured (one request per 100 responses and drafts), and each place that an option names. ' +
  'Then searches the other places for the ids of what was found anywhere: a delivery by webhook, for example, has no email. ' +
  'In a database and a queue, searches the workspace of the key, or all workspaces without a service.\n' +
  'Other users of this machine can read the arguments of a command: with -, the address comes from stdin.'

/** @throws Failure exit 2 */
export function personRequest(
  context: Context,
  email: string | undefined,
  { to, tablesSchema, recordings = [], response = [], form, service, ...queue }: PersonFlags,
): PersonRequest {
  const { schema, name } = queue
  if (queue.queue === undefined && (schema ?? name) !== undefined)
    throw usage(`${schema === undefined ? '--name' : '--schema'} requires --queue`)
  if (to === undefined && tablesSchema !== undefined) throw usage('--tables-schema requires --to')
  const { env } = context.runtime
  return {
    email: email ?? '',
    forms: form,
    target: to === undefined ? undefined : parseTarget({ to, schema: tablesSchema }, env, '--tables-schema'),
    tablesSchema,
    responses: response,
    queue: queue.queue === undefined ? undefined : { target: queueTarget(context, queue), schema, name },
    recordings,
    service: service !== false,
  }
}

/** What `person find` and `person erase` have in common. */
export const PERSON_COMMAND = {
  arguments: ARGUMENTS,
  options: OPTIONS,
  exits: [1, 3, 4, 5, 6],
  check: (context: Context, options: PersonFlags) => void personRequest(context, undefined, options),
} as const
