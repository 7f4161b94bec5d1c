import type { InboxQueue } from '@formwire/sync/inbox'
import type { OptionSpec } from '../command.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { type PostgresTarget, parsePostgres } from '../input/database-target.ts'
import { countOf } from '../output/progress.ts'
import { databaseFailure } from '../sync/store.ts'

/** The options of the commands that work with a queue. */
export interface QueueOptions {
  queue?: string
  schema?: string
  name?: string
}

/** `--queue`, `--schema` and `--name`. */
export const QUEUE_OPTIONS: readonly OptionSpec[] = [
  { flags: '--queue <database>', description: 'postgres, or a postgres:// URL without a password' },
  { flags: '--schema <name>', description: 'schema of the queue (default: formwire_queue)' },
  { flags: '--name <name>', description: 'name of the queue (default: inbox)' },
]

/** How the commands find the database, for their descriptions. */
export const QUEUE_SOURCE =
  'The database URL comes from FORMWIRE_DATABASE_URL or the variables of libpq (PGHOST …); a password cannot be passed as an option. ' +
  'Requires Node 22.12 or newer and the packages pg-boss and pg.'

/** Checks `--queue`. @throws Failure exit 2 */
export function queueTarget({ runtime }: Context, { queue }: QueueOptions): PostgresTarget {
  if (queue === undefined) throw usage('missing required option --queue', 'use --queue postgres')
  const target = parsePostgres('--queue', queue, runtime.env)
  if (!target) throw usage('--queue must be postgres or a postgres:// URL', 'use --queue postgres')
  return target
}

/** Works with the queue of an inbox. @throws Failure exit 1 for a database that cannot be used */
export async function withQueue<Result>(
  context: Context,
  options: QueueOptions,
  work: (queue: InboxQueue) => Promise<Result>,
): Promise<Result> {
  const { url, secrets } = queueTarget(context, options)
  for (const secret of secrets) context.hide(secret)
  const { schema, name } = options
  const { postgresQueue } = await import('@formwire/sync/inbox')
  const queue = postgresQueue({ connectionString: url, schema, name, connections: 1 })
  try {
    return await work(queue)
  } catch (error) {
    throw databaseFailure(error)
  } finally {
    await queue.close()
  }
}

/** Returns the ids that a command is about. @throws Failure exit 2 without any */
export function chosenIds(given: readonly string[], all: boolean): readonly string[] | 'all' {
  if (all && given.length > 0) throw usage('--all cannot be combined with ids', 'remove one of them')
  if (all) return 'all'
  if (given.length === 0) throw usage('missing id', 'pass one or more ids, or --all')
  return [...new Set(given)]
}

/** Returns which of the ids are those of dead responses, and which are not. */
export async function deadIds(
  queue: InboxQueue,
  ids: readonly string[] | 'all',
): Promise<{ found: readonly string[]; missing: readonly string[] }> {
  const dead = new Set((await queue.list('dead')).map(({ id }) => id))
  if (ids === 'all') return { found: [...dead], missing: [] }
  return { found: ids.filter((id) => dead.has(id)), missing: ids.filter((id) => !dead.has(id)) }
}

/** Ids that an error names. */
const NAMED = 5

/** Returns the failure for ids that no dead response has. */
export function notDead(missing: readonly string[]): Failure {
  const named = missing.slice(0, NAMED).join(', ') + (missing.length > NAMED ? ', …' : '')
  return new Failure(`${countOf(missing.length, 'dead response')} not found: ${named}`, {
    exitCode: EXIT.notFound,
    code: 'not_found',
    hint: 'see formwire inbox list',
  })
}
