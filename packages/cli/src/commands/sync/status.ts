import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { type DatabaseTarget, parseDatabaseTarget } from '../../input/database-target.ts'

interface StatusOptions {
  to?: string
  schema?: string
}

/** `formwire sync status --to sqlite:responses.db` */
export const syncStatus = defineCommand<StatusOptions>({
  path: ['sync', 'status'],
  summary: 'show how far a synchronized database is',
  description:
    'Prints for each form the number of its rows, the delay of its newest row in seconds, when it was last read completely, and why it could ' +
    'not be read. For a fleet, also how many forms are queued, in progress, tried again after a failure, and failed too often. Sends ' +
    'no requests and writes nothing.\n' +
    'With --json, prints {"forms":[{"id","rows","lag_seconds","last_synced_at","last_error"}],"queue":{…}}.',
  options: [
    {
      flags: '--to <database>',
      description: 'sqlite:PATH, postgres, or a postgres:// URL without a password',
    },
    {
      flags: '--schema <name>',
      description: 'schema of the tables in PostgreSQL (default: the first one of the search path)',
    },
  ],
  examples: [
    ['formwire sync status --to postgres', 'show the state of a fleet'],
    ['formwire sync status --to postgres --schema eu', 'show that of a workspace with a schema of its own'],
  ],
  exits: [1],
  fields: ['forms', 'queue'],
  check: (context, options) => void targetOf(context, options),
  async run(context, _args, options) {
    const target = targetOf(context, options)
    for (const secret of target.secrets) context.hide(secret)
    const { printSyncStatus } = await import('../../sync/status.ts')
    await printSyncStatus(context, target, options.schema)
  },
})

/** @throws Failure exit 2 */
function targetOf({ runtime }: Context, { to, schema }: StatusOptions): DatabaseTarget {
  const target = parseDatabaseTarget(to, runtime.env)
  if (schema === '') throw usage('--schema must not be empty')
  if (schema !== undefined && target.kind === 'sqlite')
    throw usage('--schema requires PostgreSQL', 'use --to postgres, or leave it out')
  return target
}
