import { isObjectOrArray } from '@formwire/internal/json'

/** A parameter of a statement. */
export type SqlValue = string | number | null

/** What a column holds. Each database has a type for it. */
export type ColumnType = 'text' | 'integer' | 'number' | 'json' | 'boolean'

/** How answers are shown in a column of a view. */
export type ColumnKind = 'number' | 'date' | 'text'

/** A question with answers of one kind. */
export interface QuestionKind {
  id: string
  kind: ColumnKind
}

/** What differs between the databases. Everything else is one set of statements. */
export interface Dialect {
  name: 'sqlite' | 'postgres'
  /** Column types. Text compares by code unit, since sort keys are compared as text. */
  types: Readonly<Record<ColumnType, string>>
  /** The name of a table, view or index of ours in a statement: with the schema that the store was given. */
  qualified(name: string): string
  boolean(value: boolean): number | string
  /** Parses a JSON column as the driver returned it. */
  parseJson(value: unknown): unknown
  /** A literal of a text that {@link cleanText} has cleaned. */
  literal(text: string): string
  /** An expression that is null and takes the lock of a transaction, if a statement alone needs it, with its parameters. */
  lockedNull: { sql: string; parameters(lock: string): SqlValue[] }
  /** Longest name of a column or view, in bytes of UTF-8. */
  maxNameBytes: number
  /** What a view joins to the rows `r` to walk through the answers of each once, whatever the number of its columns. */
  walk: string
  /** An expression for the answer to a question that {@link walk} has found; null for one of another kind. */
  answer(question: QuestionKind): string
  /** Columns and joins of a view with a row for each option or cell that was chosen, else for each answer, of the rows `r`. */
  chosen: { columns: string; joins: string }
  /**
   * An expression for a column of timestamps, typed if the database has a type for them. What does not parse is null. An index can be
   * made of it.
   */
  timestamp(column: string): string
  /**
   * Where readers hold a view, so that it is changed after the write that needs it: the statement that finds the `options` of the view `?`,
   * if it has any.
   */
  findViewOptions?: string
  /** Statement that finds a table or view of the name `?` (in any case) that the session would use. */
  findRelation: string
  /** Statement that lists the columns of the table or view `?`, as `name`. */
  listColumns: string
}

/** A quoted name. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Replaces by U+FFFD what a database cannot hold: NUL, and unpaired surrogates, which UTF-8 cannot encode. */
export function cleanText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replaceAll('\0', '\ufffd')
}

/** The same for the texts in JSON. */
export function cleanJson(text: string): string {
  return /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(cleaned(JSON.parse(text))) : text
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isObjectOrArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [cleanText(name), cleaned(member)]))
}
