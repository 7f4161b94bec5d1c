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

/** Options of the commands that work with dead responses. */
export type DeadOptions = QueueOptions & { all?: boolean }

/**
 * Works with those of the given ids that dead responses have, or all of these. @throws Failure exit 2 without ids; exit 3 afterwards if
 * any is not that of a dead response
 */
export async function withDead(
  context: Context,
  given: unknown,
  options: DeadOptions,
  work: (queue: InboxQueue, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const ids = chosenIds((given ?? []) as readonly string[], options.all === true)
  const missing = await withQueue(context, options, async (queue) => {
    const dead = new Set((await queue.list('dead')).map(({ id }) => id))
    const asked = ids === 'all' ? [...dead] : ids
    const found = asked.filter((id) => dead.has(id))
    await work(queue, found)
    return asked.filter((id) => !dead.has(id))
  })
  if (missing.length > 0) throw notDead(missing)
}

/** Returns the ids that a command is about. @throws Failure exit 2 without any */
function chosenIds(given: readonly string[], all: boolean): readonly string[] | 'all' {
  if (all && given.length > 0) throw usage('--all cannot be combined with ids', 'remove one of them')
  if (all) return 'all'
  if (given.length === 0) throw usage('missing id', 'pass one or more ids, or --all')
  return [...new Set(given)]
}

/** Ids that an error names. */
const NAMED = 5

/** Returns the failure for ids that no dead response has. */
function notDead(missing: readonly string[]): Failure {
  const named = missing.slice(0, NAMED).join(', ') + (missing.length > NAMED ? ', …' : '')
  return new Failure(`${countOf(missing.length, 'dead response')} not found: ${named}`, {
    exitCode: EXIT.notFound,
    code: 'not_found',
    hint: 'see formwire inbox list',
  })
}
