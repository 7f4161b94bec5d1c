import { type FormStatus, readSyncStatus } from '@formwire/sync'
import { countMember, member } from '../columns/members.ts'
import type { Context } from '../context.ts'
import type { DatabaseTarget } from '../input/database-target.ts'
import { showItems } from '../lists/list.ts'
import { grouped } from '../output/progress.ts'
import type { Column } from '../output/table.ts'
import { spanText } from '../output/time.ts'
import { databaseFailure, openExistingStore, outageText, schemaHint } from './store.ts'

const COLUMNS: readonly Column<FormStatus>[] = [
  member('id', 'Form'),
  countMember('rows', 'Rows'),
  {
    ...countMember('lag_seconds', 'Delay'),
    text: ({ lag_seconds }) => (lag_seconds === null ? '' : spanText(lag_seconds * 1000)),
  },
  member('last_synced_at', 'Last read'),
  { name: 'last_error', header: 'Last error', text: ({ last_error }) => errorText(last_error ?? '') },
]

/** Shown where several workspaces are listed, whose forms may have the same ids. */
const WORKSPACE: Column<FormStatus> = member('workspace_id', 'Workspace')

/** Returns the code of an error, and of which kind it is if the code does not say. */
const errorText = (code: string): string => (/^[\dA-Z]{5}$/.test(code) ? `SQL error ${code}` : code)

const FIELDS = ['id', 'rows', 'lag_seconds', 'last_synced_at', 'last_error'] as const

/** Prints the state of a database. @param schema of the tables in PostgreSQL */
export async function printSyncStatus(
  context: Context,
  target: DatabaseTarget,
  schema: string | undefined,
): Promise<void> {
  const { output } = context
  const store = await openExistingStore(target, schema)
  context.onExit(() => store.close())
  const { forms, queue, workspaces } = await readSyncStatus(store).catch((error: unknown) => {
    throw databaseFailure(error, schemaHint(target, schema))
  })
  if (output.json) {
    const isStopped = workspaces.some(({ error }) => error !== null)
    return await output.record({ forms, queue, ...(isStopped && { workspaces }) })
  }
  const isOfOne = new Set(forms.map(({ workspace_id }) => workspace_id)).size < 2
  const columns = isOfOne ? COLUMNS : [WORKSPACE, ...COLUMNS]
  // Off a terminal, the names say in which unit a number is.
  if (!output.isTerminal) await output.line(columns.map(({ name }) => name).join('\t'))
  await showItems(context, forms, { nouns: ['form', 'forms'], columns, fields: FIELDS }, {})
  for (const { name, error, error_at } of workspaces)
    if (error !== null)
      output.announce('workspace_stopped', `stopped at ${error_at}: ${outageText(name, error)}`)
  if (!('queued' in queue)) return
  const { queued, active, retrying, failed, oldest_seconds } = queue
  output.note(
    `queue: ${grouped(queued)} queued, ${grouped(active)} in progress, ${grouped(retrying)} retrying, ${grouped(failed)} failed; ` +
      `oldest ${spanText(oldest_seconds * 1000)}`,
  )
}
