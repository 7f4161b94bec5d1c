import { defineCommand, formsNamed } from '../../command.ts'
import { usage } from '../../failure.ts'
import { parseTarget, schemaOption } from '../../input/database-target.ts'
import { repeatedOption } from '../../input/parse.ts'

interface AuditFlags {
  to?: string
  schema?: string
  form?: string[]
  drafts?: boolean
  /** False after `--no-deletions`. */
  deletions?: boolean
}

/** `formwire sync audit --to sqlite:responses.db` */
export const syncAudit = defineCommand<AuditFlags>({
  path: ['sync', 'audit'],
  summary: 'compare a synchronized database with the service',
  description:
    'Compares every row with its response, column by column, and every view with its table. Sends GET requests only, one per 100 ' +
    'responses, within the rate limit, and one for each difference that is read again; the last line states how many. Memory use does not ' +
    'depend on the number of responses.\n' +
    'A form is compared at the instant of its first request: responses that are submitted, changed or deleted after it are no ' +
    'differences. What formwire sync has not copied by then is one.\n' +
    'Prints one line per form with its counts and the beginning of a hash over ids and content, and then the first ten differences: ' +
    'response id, and the names of the columns that differ, never what a respondent gave. Exits with 1 if anything differs.',
  options: [
    {
      flags: '--to <database>',
      description: 'sqlite:PATH, postgres, or a postgres:// URL without a password',
    },
    schemaOption('--schema'),
    {
      flags: '--form <id>',
      description: 'compare this form (default: all forms of the workspace); repeatable',
      parse: repeatedOption((text) => {
        if (text === '') throw usage('form id must not be empty')
        return [text]
      }),
    },
    { flags: '--drafts', description: 'also compare saved drafts if the table has none of them' },
    {
      flags: '--no-deletions',
      description: 'expect rows of deleted responses, as sync --no-deletions leaves them',
    },
  ],
  examples: [
    ['formwire sync audit --to sqlite:responses.db', 'compare every form'],
    ['formwire sync audit --to postgres --schema eu', 'compare a workspace with a schema of its own'],
    ['formwire sync audit --to postgres --form 8hTq2LmVx4Rb --json', 'compare one form and print JSON'],
  ],
  exits: [1, 3, 4, 5, 6],
  task: (_args, { form = [] }) => `compare ${formsNamed(form)}`,
  check: ({ runtime }, options) => void parseTarget(options, runtime.env),
  async run(context, _args, options) {
    const { schema, form, drafts, deletions } = options
    const target = parseTarget(options, context.runtime.env)
    for (const secret of target.secrets) context.hide(secret)
    const { runAudit } = await import('../../sync/run-audit.ts')
    return await runAudit(context, {
      target,
      schema,
      forms: form ?? 'all',
      drafts: drafts === true ? true : undefined,
      deletions: deletions !== false,
    })
  },
})
