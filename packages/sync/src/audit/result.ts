/** A difference between the database and the service. Never contains what a respondent gave. */
export interface AuditDifference {
  /** Id of the response. Null for the view as a whole. */
  id: number | null
  /**
   * `missing`: the table has no row for a response. `extra`: a row has no response. `different`: a row differs from its response, or is
   * marked deleted. `view`: the view of the form shows other than the table; counts as `different`.
   */
  kind: 'missing' | 'extra' | 'different' | 'view'
  /** Names of the columns that differ. None for a response or view that is missing, and for a row in excess. */
  columns: readonly string[]
}

/** How the rows of a form compare with its responses. */
export interface FormAudit {
  id: string
  /** Rows that were compared. */
  rows: number
  /** Responses that were compared. */
  responses: number
  equal: boolean
  missing: number
  extra: number
  different: number
  /** The first differences, at most ten. */
  first: AuditDifference[]
  /** Hashes over the ids and the content of rows and of responses, whatever their order. The same for the same content. */
  hashes: { table: string; service: string }
}

/** The result of {@link audit}. */
export interface Audit {
  /** Whether the database is equal to the service for every form. */
  equal: boolean
  forms: FormAudit[]
  /** HTTP requests of the client, retries included. */
  requests: number
}
