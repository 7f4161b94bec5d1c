import type { Dialect } from '../database/dialect.ts'

/** The tables of this package as statements name them. */
export interface TableNames {
  responses: string
  forms: string
  state: string
  settled: string
  views: string
  questions: string
  drift: string
  workspaces: string
  version: string
}

/** Returns the names of the tables in the schema of a store. */
export function namesOf({ qualified }: Pick<Dialect, 'qualified'>): TableNames {
  return {
    responses: qualified('formwire_responses'),
    forms: qualified('formwire_forms'),
    state: qualified('formwire_sync_state'),
    settled: qualified('formwire_sync_settled'),
    views: qualified('formwire_sync_views'),
    questions: qualified('formwire_sync_questions'),
    drift: qualified('formwire_sync_drift'),
    workspaces: qualified('formwire_sync_workspaces'),
    version: qualified('formwire_sync_version'),
  }
}
