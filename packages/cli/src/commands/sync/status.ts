import { defineCommand } from '../../command.ts'
import { parseTarget, SCHEMA_OPTION } from '../../input/database-target.ts'

/** `formwire sync status --to sqlite:responses.db` */
export const syncStatus = defineCommand({
  path: ['sync', 'status'],
  summary: 'show how far a synchronized database is',
  description:
    'Prints for each form the number of its rows, the delay of its newest row in seconds, when it was last read completely, and why it could ' +
    'not be read; first its workspace if there are several. When piped, the first line has the names of the columns. For a fleet, also how many forms are queued, in progress, tried again after a failure, and failed too often, and why a workspace is not read. Sends ' +
    'no requests and writes nothing.\n' +
    'With --json, prints {"forms":[{"id","workspace_id","rows","lag_seconds","last_synced_at","last_error"}],"queue":{…}}, and while a workspace of a fleet is not read, also "workspaces":[{"name","error","error_at"}].',
  options: [
    {
      name: 'to',
      value: 'database',
      description: 'sqlite:PATH, postgres, or a postgres:// URL without a password',
    },
    SCHEMA_OPTION,
  ],
  examples: [
    ['formwire sync status --to postgres', 'show the state of a fleet'],
    ['formwire sync status --to postgres --schema eu', 'show that of a workspace with a schema of its own'],
  ],
  exits: [1],
  fields: ['forms', 'queue', 'workspaces'],
  check: ({ runtime }, options) => void parseTarget(options, runtime.env),
  async run(context, _args, options) {
    const target = parseTarget(options, context.runtime.env)
    for (const secret of target.secrets) context.hide(secret)
    const { printSyncStatus } = await import('../../sync/status.ts')
    await printSyncStatus(context, target, options.schema)
  },
})
