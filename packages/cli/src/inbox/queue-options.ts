import type { InboxQueue, QueuedResponse } from '@formwire/sync/inbox'
import { nameOf } from '../columns/queued.ts'
import { firstOf, type OptionSpec, type OptionsOf } from '../command.ts'
import type { Context } from '../context.ts'
import { type Failure, notFound, usage } from '../failure.ts'
import { type PostgresTarget, parsePostgres } from '../input/database-target.ts'
import { countOf } from '../output/progress.ts'
import { databaseFailure } from '../sync/store.ts'

/** `--queue`, `--schema` and `--name`. */
export const QUEUE_OPTIONS = [
  { name: 'queue', value: 'database', description: 'postgres, or a postgres:// URL without a password' },
  { name: 'schema', value: 'name', description: 'schema of the queue', default: 'formwire_queue' },
  { name: 'name', value: 'name', description: 'name of the queue', default: 'inbox' },
] as const satisfies readonly OptionSpec[]

/** The options of the commands that work with a queue, as they are parsed. */
export type QueueOptions = OptionsOf<typeof QUEUE_OPTIONS>

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

/** Works with the queue of an inbox. @throws Failure exit 1 for a database that cannot be used, exit 3 without such a queue */
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
    if (await queue.exists()) return await work(queue)
    throw notFound(
      `the database has no queue "${name ?? 'inbox'}" in the schema "${schema ?? 'formwire_queue'}"`,
      'check --name and --schema; the first response that is stored creates the queue',
    )
  } catch (error) {
    throw databaseFailure(error)
  } finally {
    await queue.close()
  }
}

/** The ids that the commands take. */
export const QUEUED_IDS =
  'FORM/RESPONSE, or ids in the queue, which change with each retry, as inbox list prints them'

/**
 * Works with those of the given ids that dead responses have, or all of these. @throws Failure exit 2 without ids; exit 3 afterwards if
 * any is not that of a dead response
 */
export async function withDead(
  context: Context,
  given: readonly string[],
  options: QueueOptions & { all?: boolean | undefined },
  work: (queue: InboxQueue, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const ids = chosenIds(given, options.all === true)
  const missing = await withQueue(context, options, async (queue) => {
    const dead = await queue.list('dead')
    if (ids === 'all')
      return await work(
        queue,
        dead.map(({ id }) => id),
      ).then(() => [])
    const found = new Map(ids.map((given) => [given, dead.filter((one) => isNamed(one, given))]))
    const asked = [...new Set([...found.values()].flat())].map(({ id }) => id)
    await work(queue, asked)
    return ids.filter((given) => found.get(given)?.length === 0)
  })
  if (missing.length > 0) throw notDead(missing)
}

/** Whether a response has the id of an argument. */
export const isNamed = (one: QueuedResponse, given: string): boolean =>
  one.id === given || nameOf(one) === given

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
  const count = countOf(missing.length, 'dead response')
  return notFound(`${count} not found: ${firstOf(missing, NAMED)}`, 'see formwire inbox list')
}
