import { cleanText, type Dialect, quoteName } from '../database/dialect.ts'

/** First key of our advisory locks. */
export const LOCK_CLASS = 0x66_77_73

/** Returns the dialect of a store in a schema, whatever the search path of its connections is. */
export function dialectOf(schema: string | undefined): PostgresDialect {
  // A question mark is a placeholder.
  const quoted = quoteName(cleanText(schema ?? ''))
  const prefix = quoted.includes('?')
    ? `U&${quoted.replaceAll('\\', '\\\\').replaceAll('?', '\\003f')}`
    : quoted
  const qualified = (name: string): string => (schema === undefined ? name : `${prefix}.${name}`)
  const schemaName =
    schema === undefined ? 'current_schema()' : `(${schema.split('?').map(literal).join(' || chr(63) || ')})`
  return {
    ...SHARED,
    qualified,
    findViewOptions:
      `SELECT array_to_string(c.reloptions, ', ') AS options FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ` +
      `WHERE n.nspname = ${schemaName} AND c.relname = ? AND c.reloptions IS NOT NULL`,
    findRelation:
      'SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ' +
      `WHERE n.nspname = ${schemaName} AND lower(c.relname) = lower(?)`,
    listColumns:
      // Not information_schema, which hides what the role may not use.
      'SELECT a.attname AS name FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid ' +
      'JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ' +
      `WHERE n.nspname = ${schemaName} AND c.relname = ? AND a.attnum > 0 AND NOT a.attisdropped`,
  }
}

/** The dialect of PostgreSQL, which changes views after the writes that need them. */
export type PostgresDialect = Dialect & Required<Pick<Dialect, 'findViewOptions'>>

/** The answers of a row `r`, whatever its JSON is. */
const ANSWERS = `jsonb_array_elements(CASE WHEN jsonb_typeof(r.answers) = 'array' THEN r.answers ELSE '[]' END)`
/** The type of the value of an answer `a`. */
const TYPE = `jsonb_typeof(a -> 'value')`

const SHARED = {
  name: 'postgres',
  types: {
    text: 'text COLLATE "C"',
    integer: 'bigint',
    number: 'double precision',
    json: 'jsonb',
    boolean: 'boolean',
  },
  boolean: String,
  parseJson: (value) => value ?? null,
  literal,
  lockedNull: {
    sql: `(SELECT NULL::text FROM pg_advisory_xact_lock(${LOCK_CLASS}, ?))`,
    parameters: (lock) => [lockKey(lock)],
  },
  maxNameBytes: 63,
  // PostgreSQL leaves a left join out of queries that use none of its columns, such as a count.
  walk: `LEFT JOIN LATERAL (
  SELECT jsonb_object_agg(
    CASE WHEN ${TYPE} = 'number' THEN 'number ' WHEN a ->> 'type' = 'date' THEN 'date ' ELSE 'text ' END || (a ->> 'question_id'),
    a -> CASE WHEN ${TYPE} IN ('object', 'array') THEN 'text' ELSE 'value' END
  ) FILTER (WHERE a ->> 'question_id' IS NOT NULL) AS answer
  FROM ${ANSWERS} AS a
) AS one ON TRUE`,
  answer({ id, kind }) {
    const value = `one.answer ->> ${literal(`${kind} ${id}`)}`
    if (kind === 'number') return `(${value})::numeric`
    return kind === 'date' ? `CASE WHEN ${value} ~ '^(?:${DATE})$' THEN (${value})::date END` : value
  },
  chosen: {
    columns: `a ->> 'question_id' AS question_id, a ->> 'type' AS type, chosen.id AS option_id, a -> 'value' AS value, chosen.text AS text`,
    joins: `CROSS JOIN LATERAL ${ANSWERS} AS a
CROSS JOIN LATERAL (
  SELECT jsonb_typeof(a -> 'value' -> 'ids') = 'array' AS is_choice, a ->> 'type' LIKE 'grid%' AND ${TYPE} = 'object' AS is_grid,
    a -> 'value' ->> 'other' AS other
) AS shape
CROSS JOIN LATERAL (
  SELECT option.id, CASE jsonb_array_length(a -> 'value' -> 'ids') WHEN 1 THEN labels.text
      WHEN cardinality(labels.parts) THEN labels.parts[option.position] END AS text
    FROM jsonb_array_elements_text(CASE WHEN is_choice THEN a -> 'value' -> 'ids' ELSE '[]' END) WITH ORDINALITY AS option (id, position),
      (SELECT text, string_to_array(text, ', ') AS parts FROM (SELECT CASE WHEN other IS NULL THEN a ->> 'text'
        WHEN right(a ->> 'text', length(other) + 2) = ', ' || other
        THEN left(a ->> 'text', -2 - length(other)) END AS text) AS of_options) AS labels
  UNION ALL SELECT NULL, other WHERE is_choice AND other IS NOT NULL
  UNION ALL SELECT cell, a ->> 'text' FROM jsonb_each(CASE WHEN is_grid THEN a -> 'value' ELSE '{}' END) AS row (id, columns),
    jsonb_array_elements_text(CASE WHEN jsonb_typeof(columns) = 'array' THEN columns ELSE jsonb_build_array(columns) END) AS cell
  UNION ALL SELECT NULL, a ->> 'text' WHERE is_choice IS NOT TRUE AND is_grid IS NOT TRUE
) AS chosen (id, text)`,
  },
  timestamp(column) {
    const seconds = `substr(${column}, 18)`
    const anySeconds = `rtrim(regexp_replace(${seconds}, '[+-].*', ''), 'Z')`
    return (
      `CASE WHEN ${column} ~ '^${COMMON}$' THEN ${instant(column, `rtrim(${seconds}, 'Z')`)} AT TIME ZONE 'UTC' ` +
      `WHEN ${column} ~ '^(?:${DATE})T${TIME}$' ` +
      `THEN (${instant(column, anySeconds)} - ${offset(column)}) AT TIME ZONE 'UTC' END`
    )
  },
} satisfies Partial<Dialect>

/** PostgreSQL, in the first schema of the search path. */
export const postgresDialect = dialectOf(undefined)

/**
 * The dates of the calendar in a regular expression, without backslashes. A cast fails the whole query for any other text, and
 * `pg_input_is_valid` came with PostgreSQL 16.
 */
const DATE =
  '(?!0000)[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|' +
  '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29'
const TIME =
  '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])'

/** Most timestamps: in UTC, on a day that every month has. Checked first, in half the time. */
const COMMON =
  '[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?Z'

/**
 * An expression for a timestamp that was checked, as if it were in UTC. A cast would do, but depends on settings of the session, so
 * that no index can have it.
 */
function instant(column: string, seconds: string): string {
  const [year, month, day, hour, minute] = [
    [1, 4],
    [6, 2],
    [9, 2],
    [12, 2],
    [15, 2],
  ].map(([start, length]) => `substr(${column}, ${start}, ${length})::int`)
  return `make_timestamp(${year}, ${month}, ${day}, ${hour}, ${minute}, ${seconds}::float8)`
}

/** An expression for the distance from UTC at the end of a timestamp that was checked. */
function offset(column: string): string {
  const hours = `substr(right(${column}, 6), 1, 3)::int`
  const minutes = `(substr(right(${column}, 6), 1, 1) || right(${column}, 2))::int`
  return `CASE WHEN right(${column}, 1) = 'Z' THEN make_interval() ELSE make_interval(hours => ${hours}, mins => ${minutes}) END`
}

/** The same whether or not the server reads a backslash in an ordinary literal as an escape (`standard_conforming_strings`). */
function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`
  return quoted.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted
}

/** Second key of an advisory lock: FNV-1a. Two locks with one key only wait for each other. */
export function lockKey(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value | 0
}
