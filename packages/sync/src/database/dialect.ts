/** A parameter of a statement. */
export type SqlValue = string | number | null

/** How a question's value becomes a column of a view. */
export type ColumnKind = 'number' | 'date' | 'text'

/** What differs between the databases. Everything else is one set of statements. */
export interface Dialect {
  name: 'sqlite' | 'postgres'
  /** Column types. Text compares by code unit, since sort keys are compared as text. */
  types: { text: string; integer: string; number: string; json: string; boolean: string }
  /** The name of a table, view or index of ours in a statement: with the schema that the store was given. */
  qualified(name: string): string
  /** Cleans a text that the database cannot hold. */
  text(value: string): string
  /** Cleans JSON text that the database cannot hold. */
  json(text: string): string
  boolean(value: boolean): number | string
  /** Parses a JSON column as the driver returned it. */
  parseJson(value: unknown): unknown
  /** A text literal. */
  literal(text: string): string
  /** An expression that is null and takes the lock of a transaction, if a statement alone needs it, with its parameters. */
  lockedNull: { sql: string; parameters(lock: string): SqlValue[] }
  /** Longest name of a column or view, in bytes of UTF-8. */
  maxNameBytes: number
  /** An expression for the value of a question, given the alias of the table of responses. */
  answer(alias: string, questionId: string, kind: ColumnKind): string
  /**
   * An expression for a column of timestamps, typed if the database has a type for them. What does not parse is null. An index can be
   * made of it.
   */
  timestamp(column: string): string
  /** Where dates have a type: the statement that finds the `id` of the questions of form `?` of workspace `?` whose answers are all dates. */
  findDates?: string
  /** Where views have rights: the statement that lists those of the view `?`, as the `sql` that grants and the `revocation` of each. */
  findGrants?: string
  /** Where views have comments, an owner and options: the statement that lists the `sql` that sets each of the view `?`. One that `stays` is kept by a view that gets more columns. */
  findProperties?: string
  /** Where readers hold a view, so that it is changed after the write that needs it: the statement that lists its columns, as `name` and `kind`. */
  findViewColumns?: string
  /** Statement that finds a table or view of the name `?` (in any case) that the session would use. */
  findRelation: string
  /** Statement that lists the tables with a foreign key to the table `?`, as `name`. */
  findReferences: string
  /** Statement that lists the columns of the table `?`, as `name`. */
  listColumns: string
}

/** A quoted name. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Replaces unpaired surrogates, which UTF-8 cannot encode. */
export function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text)
    ? text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (match) =>
        match.length === 2 ? match : '\ufffd',
      )
    : text
}
