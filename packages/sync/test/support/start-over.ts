import { quoteName } from '../../src/database/dialect.ts'
import type { TestDatabase } from './stores.ts'

const TABLES = [
  'formwire_responses',
  'formwire_forms',
  'formwire_sync_state',
  'formwire_sync_settled',
  'formwire_sync_views',
  'formwire_sync_questions',
  'formwire_sync_workspaces',
  'formwire_sync_version',
]

/** Drops the tables of this package and the views of forms, as its errors advise. */
export async function dropEverything({ query, dialect }: TestDatabase): Promise<void> {
  const cascade = dialect.name === 'postgres' ? ' CASCADE' : ''
  for (const { name } of await query('SELECT name FROM formwire_sync_views'))
    for (const view of [String(name), `${name}_answers`])
      await query(`DROP VIEW IF EXISTS ${quoteName(view)}${cascade}`)
  for (const name of TABLES) await query(`DROP TABLE ${name}${cascade}`)
}
