import { chosenForms, defineCommand, formsNamed } from '../command.ts'
import { usage } from '../failure.ts'
import { parseDatabaseTarget, parseTarget, SCHEMA_OPTION } from '../input/database-target.ts'
import { chooseForm } from '../pickers/choose.ts'
import { SYNC_OPTIONS, type SyncFlags } from '../sync/sync-options.ts'

/** `formwire sync FORM… --to sqlite:responses.db` */
export const sync = defineCommand({
  path: ['sync'],
  summary: 'mirror responses into SQLite or PostgreSQL',
  description:
    'Writes every response to the table formwire_responses exactly once, marks deleted ones, and then follows the forms until ' +
    'Ctrl-C. Each form also has a view formwire_form_<id> with one column per question, and formwire_form_<id>_answers with one row per ' +
    'answer or chosen option. A run that was stopped or killed continues where it ended.\n' +
    'While following, a terminal shows one line: what has changed, and when the database was last up to date. When piped, prints one ' +
    'line per change, those of the first copy included: what happened (inserted, updated or deleted), form, response and status, ' +
    'with --json as {"event","form_id","id","status"}. The last line is the summary. With --once, prints only the summary; ' +
    'with --verify as well, first what differed in each form, with ids: zeros in the summary prove that the database was equal to the service.\n' +
    'The database URL comes from FORMWIRE_DATABASE_URL or the variables of libpq (PGHOST …); a password cannot be passed as an ' +
    'option. PostgreSQL requires the package pg.\n' +
    'With --fleet, runs one worker; any number of workers with the same file share the work, on the database of FORMWIRE_DATABASE_URL. The ' +
    'file is {"workspaces":[{"name","apiKeyEnv":[…],"baseUrl","schema","forms"}],"drafts","deletions","deleted","intervalMs","concurrency",…}, where ' +
    'apiKeyEnv are names of environment variables. A module exports the same by default, and may add the function onResponse. Requires Node ' +
    '22.12 and the packages pg and pg-boss.',
  arguments: [
    {
      name: '[forms...]',
      description: 'ids of the forms',
      choose: chooseForm,
      unless: ['all', 'fleet'],
    },
  ],
  options: SYNC_OPTIONS,
  examples: {
    'formwire sync guestvoice01 --to sqlite:responses.db --once': 'copy one form into a SQLite file',
    'formwire sync --all --to sqlite:responses.db --once --json=inserted,deleted': 'print two counts as JSON',
    'formwire sync --all --to postgres': 'keep a PostgreSQL database equal to the workspace',
    'formwire sync --all --to postgres --metrics 9464': 'serve metrics and health checks on port 9464',
    'formwire sync --fleet fleet.json': 'run one worker of a fleet',
  },
  exits: [1, 3, 4, 5, 6, 143],
  fields: ['forms', 'inserted', 'updated', 'deleted', 'requests', 'duration_ms'],
  task: (forms) => (forms.length === 0 ? 'sync the forms' : `sync ${formsNamed(forms)}`),
  check(context, options) {
    if (options.metricsHost !== undefined && options.metrics === undefined)
      throw usage('--metrics-host requires --metrics', 'add --metrics PORT')
    if (options.metricsHost === '') throw usage('--metrics-host must not be empty')
    if (options.fleet !== undefined) return checkFleet(options)
    if (context.global.fields && !options.once)
      throw usage('--json has fields only with --once', 'pass --json alone, or add --once')
    if (options.deleted === 'erase' && options.deletions === false)
      throw usage('--deleted erase cannot be combined with --no-deletions', 'remove one of them')
    if (options.metrics !== undefined && options.once)
      throw usage('--metrics cannot be combined with --once', 'remove one of them')
    parseDatabaseTarget(options.to, context.runtime.env)
  },
  async run(context, [given], options) {
    const { metrics: port, metricsHost: host = '127.0.0.1' } = options
    const metrics = port === undefined ? undefined : { port, host }
    if (options.fleet !== undefined) {
      if (given.length > 0) throw besideFleet('form ids')
      const { runFleet } = await import('../sync/fleet.ts')
      return await runFleet(context, options.fleet, metrics)
    }
    const forms = chosenForms(given, options.all)
    const target = parseDatabaseTarget(options.to, context.runtime.env)
    for (const secret of target.secrets) context.hide(secret)
    const { runSync } = await import('../sync/run.ts')
    return await runSync(context, forms, target, options, metrics)
  },
})

/** What a worker does is in the file, so that all workers do the same. */
function checkFleet(flags: SyncFlags): void {
  const { all, to, once, verify, deletions, deleted, drafts, interval } = flags
  const given = {
    all,
    to,
    once,
    verify,
    deleted,
    drafts,
    interval,
    'no-deletions': deletions === false || undefined,
  }
  const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? []
  if (name !== undefined) throw besideFleet(`--${name}`)
}

const besideFleet = (what: string): Error =>
  usage(
    `--fleet cannot be combined with ${what}`,
    FLEET_HINTS.get(what) ?? 'set it for all workers in the file of the fleet',
  )

const FLEET_HINTS: ReadonlyMap<string, string> = new Map([
  ['--once', 'a worker runs until it is stopped'],
  ['--verify', 'a fleet reads all forms again every week; fullEveryMs in its file changes that'],
  ['--to', 'set FORMWIRE_DATABASE_URL'],
])

/** `formwire sync status --to sqlite:responses.db` */
export const syncStatus = defineCommand({
  path: ['sync', 'status'],
  summary: 'show how far a synchronized database is',
  description:
    'Prints for each form the number of its rows, the delay of its newest row (the seconds from the submission of the response to the last write of the row, so that a first sync of old responses shows their age), when it was last read completely, and why it could ' +
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
  examples: {
    'formwire sync status --to postgres': 'show the state of a fleet',
    'formwire sync status --to postgres --schema eu': 'show that of a workspace with a schema of its own',
  },
  exits: [1],
  fields: ['forms', 'queue', 'workspaces'],
  check: ({ runtime }, options) => void parseTarget(options, runtime.env),
  async run(context, _args, options) {
    const target = parseTarget(options, context.runtime.env)
    for (const secret of target.secrets) context.hide(secret)
    const { printSyncStatus } = await import('../sync/status.ts')
    await printSyncStatus(context, target, options.schema)
  },
})
