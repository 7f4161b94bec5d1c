import { isObjectOrArray } from '@formwire/internal/json'
import { type Dialect, quoteName, wellFormed } from '../database/dialect.ts'

/** First key of our advisory locks. */
export const LOCK_CLASS = 0x66_77_73

/** The view of a name, as `c`, and who a right `a` is granted to. */
const NAMED = 'WITH w AS (SELECT ?::text AS name)'
const VIEW = 'w CROSS JOIN pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace'
const GRANTEE = "CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END"
const OPTION = "CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END"

/** Returns the dialect of a store in a schema, whatever the search path of its connections is. */
export function dialectOf(schema: string | undefined): PostgresDialect {
  // A question mark is a placeholder.
  const quoted = quoteName(clean(schema ?? ''))
  const prefix = quoted.includes('?')
    ? `U&${quoted.replaceAll('\\', '\\\\').replaceAll('?', '\\003f')}`
    : quoted
  const qualified = (name: string): string => (schema === undefined ? name : `${prefix}.${name}`)
  const schemaName =
    schema === undefined ? 'current_schema()' : `(${schema.split('?').map(literal).join(' || chr(63) || ')})`
  const isView = `n.nspname = ${schemaName} AND c.relname = w.name`
  return {
    ...SHARED,
    qualified,
    findDates:
      `SELECT a ->> 'question_id' AS id FROM ${qualified('formwire_responses')} AS r, jsonb_array_elements(${answersOf('r')}) AS a ` +
      `WHERE r.form_id = ? AND r.workspace_id = ? GROUP BY 1 HAVING bool_and(a ->> 'type' = 'date')`,
    findGrants:
      `${NAMED} SELECT format('GRANT %s ON %I.%I TO %s%s', a.privilege_type, n.nspname, c.relname, ${GRANTEE}, ${OPTION}) AS sql, ` +
      `format('REVOKE ALL ON %I.%I FROM %s', n.nspname, c.relname, ${GRANTEE}) AS revocation ` +
      `FROM ${VIEW}, aclexplode(c.relacl) AS a WHERE ${isView} AND a.grantee <> c.relowner`,
    // The owner comes last, since only an owner can set the others.
    findProperties:
      `${NAMED} SELECT format('ALTER VIEW %I.%I SET (%s)', n.nspname, c.relname, array_to_string(c.reloptions, ', ')) AS sql, false AS stays ` +
      `FROM ${VIEW} WHERE ${isView} AND c.reloptions IS NOT NULL UNION ALL ` +
      `SELECT format('GRANT %s (%I) ON %I.%I TO %s%s', a.privilege_type, t.attname, n.nspname, c.relname, ${GRANTEE}, ${OPTION}), true ` +
      `FROM ${VIEW} JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) AS a WHERE ${isView} UNION ALL ` +
      `SELECT format('COMMENT ON VIEW %I.%I IS %L', n.nspname, c.relname, obj_description(c.oid, 'pg_class')), true ` +
      `FROM ${VIEW} WHERE ${isView} AND obj_description(c.oid, 'pg_class') IS NOT NULL UNION ALL ` +
      `SELECT format('COMMENT ON COLUMN %I.%I.%I IS %L', n.nspname, c.relname, t.attname, col_description(c.oid, t.attnum)), true ` +
      `FROM ${VIEW} JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid ` +
      `WHERE ${isView} AND col_description(c.oid, t.attnum) IS NOT NULL UNION ALL ` +
      `SELECT format('ALTER VIEW %I.%I OWNER TO %I', n.nspname, c.relname, pg_get_userbyid(c.relowner)), true ` +
      `FROM ${VIEW} WHERE ${isView} AND pg_get_userbyid(c.relowner) <> current_user`,
    findViewColumns:
      `${NAMED} SELECT t.attname AS name, CASE format_type(t.atttypid, NULL) WHEN 'double precision' THEN 'number' WHEN 'date' THEN 'date' ` +
      `WHEN 'timestamp with time zone' THEN 'timestamp' ELSE 'text' END AS kind ` +
      `FROM ${VIEW} JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid ` +
      `WHERE ${isView} AND t.attnum > 0 AND NOT t.attisdropped`,
    findRelation:
      'SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ' +
      `WHERE n.nspname = ${schemaName} AND lower(c.relname) = lower(?)`,
    findReferences:
      'SELECT k.conrelid::regclass::text AS name FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.confrelid ' +
      'JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ' +
      `WHERE k.contype = 'f' AND n.nspname = ${schemaName} AND c.relname = ?`,
    listColumns:
      // Not information_schema, which hides what the role may not use.
      'SELECT a.attname AS name FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid ' +
      'JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ' +
      `WHERE n.nspname = ${schemaName} AND c.relname = ? AND a.attnum > 0 AND NOT a.attisdropped`,
  }
}

/** The dialect of PostgreSQL, which changes views after the writes that need them. */
export type PostgresDialect = Dialect & Required<Pick<Dialect, 'findProperties' | 'findDates' | 'findGrants'>>

const SHARED = {
  name: 'postgres',
  types: {
    text: 'text COLLATE "C"',
    integer: 'bigint',
    number: 'double precision',
    json: 'jsonb',
    boolean: 'boolean',
  },
  text: clean,
  json: (text) => (/\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(cleanDeep(JSON.parse(text))) : text),
  boolean: String,
  parseJson: (value) => value ?? null,
  literal,
  lockedNull: {
    sql: `(SELECT NULL::text FROM pg_advisory_xact_lock(${LOCK_CLASS}, ?))`,
    parameters: (lock) => [lockKey(lock)],
  },
  maxNameBytes: 63,
  answer(alias, questionId, kind) {
    const type = `jsonb_typeof(a -> 'value')`
    const shown = {
      number: `CASE WHEN ${type} = 'number' THEN (a ->> 'value')::double precision END`,
      date: `CASE WHEN a ->> 'value' ~ '^(?:${DATE})$' THEN (a ->> 'value')::date END`,
      text: `CASE WHEN ${type} IN ('object', 'array') THEN a ->> 'text' ELSE a ->> 'value' END`,
    }
    return (
      `(SELECT ${shown[kind]} FROM jsonb_array_elements(${answersOf(alias)}) AS a ` +
      `WHERE a ->> 'question_id' = ${literal(questionId)} LIMIT 1)`
    )
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

/** PostgreSQL, in the first schema of the search path. NUL and unpaired surrogates, which it cannot hold, become U+FFFD. */
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

/** The list of answers of a row, whatever its JSON is. */
function answersOf(alias: string): string {
  return `CASE WHEN jsonb_typeof(${alias}.answers) = 'array' THEN ${alias}.answers ELSE '[]'::jsonb END`
}

/** The same whether or not the server reads a backslash in an ordinary literal as an escape (`standard_conforming_strings`). */
function literal(text: string): string {
  const quoted = `'${clean(text).replaceAll("'", "''")}'`
  return quoted.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted
}

function clean(text: string): string {
  return wellFormed(text).replaceAll('\0', '\ufffd')
}

function cleanDeep(value: unknown): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map(cleanDeep)
  if (!isObjectOrArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), cleanDeep(member)]))
}

/** Second key of an advisory lock: FNV-1a. Two locks with one key only wait for each other. */
export function lockKey(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value | 0
}
