import type { Dialect } from '../database/dialect.ts'

const NAMES = {
  responses: 'formwire_responses',
  forms: 'formwire_forms',
  state: 'formwire_sync_state',
  settled: 'formwire_sync_settled',
  views: 'formwire_sync_views',
  questions: 'formwire_sync_questions',
  workspaces: 'formwire_sync_workspaces',
  version: 'formwire_sync_version',
} as const

/** The tables of this package as statements name them. */
export type TableNames = Record<keyof typeof NAMES, string>

/** Returns the names of the tables in the schema of a store. */
export function namesOf({ qualified }: Pick<Dialect, 'qualified'>): TableNames {
  return Object.fromEntries(
    Object.entries(NAMES).map(([table, name]) => [table, qualified(name)]),
  ) as TableNames
}
