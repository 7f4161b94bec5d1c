import { isObjectOrArray } from '@formwire/internal/json'
import { type Dialect, wellFormed } from '../database/dialect.ts'

/** First key of our advisory locks. */
export const LOCK_CLASS = 0x66_77_73

/** The view of a name, as `c`, and who a right `a` is granted to. */
const VIEW = 'w CROSS JOIN pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace'
const IS_VIEW = 'n.nspname = current_schema() AND c.relname = w.name'
const GRANTEE = "CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END"
const OPTION = "CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END"

/** PostgreSQL. NUL and unpaired surrogates, which it cannot hold, become U+FFFD. */
export const postgresDialect = {
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
  timestamp: (column) => `CASE WHEN ${column} ~ '^(?:${DATE})T${TIME}$' THEN ${column}::timestamptz END`,
  findDates:
    `SELECT a ->> 'question_id' AS id FROM formwire_responses AS r, jsonb_array_elements(${answersOf('r')}) AS a ` +
    `WHERE r.form_id = ? GROUP BY 1 HAVING bool_and(a ->> 'type' = 'date')`,
  findGrants:
    `WITH w AS (SELECT ?::text AS name) SELECT format('GRANT %s ON %I TO %s%s', a.privilege_type, c.relname, ${GRANTEE}, ${OPTION}) AS sql, ` +
    `format('REVOKE ALL ON %I FROM %s', c.relname, ${GRANTEE}) AS revocation ` +
    `FROM ${VIEW}, aclexplode(c.relacl) AS a WHERE ${IS_VIEW} AND a.grantee <> c.relowner`,
  // The owner comes last, since only an owner can set the others.
  findProperties:
    `WITH w AS (SELECT ?::text AS name) SELECT format('ALTER VIEW %I SET (%s)', c.relname, array_to_string(c.reloptions, ', ')) AS sql, false AS stays ` +
    `FROM ${VIEW} WHERE ${IS_VIEW} AND c.reloptions IS NOT NULL UNION ALL ` +
    `SELECT format('GRANT %s (%I) ON %I TO %s%s', a.privilege_type, t.attname, c.relname, ${GRANTEE}, ${OPTION}), true ` +
    `FROM ${VIEW} JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) AS a WHERE ${IS_VIEW} UNION ALL ` +
    `SELECT format('COMMENT ON VIEW %I IS %L', c.relname, obj_description(c.oid, 'pg_class')), true ` +
    `FROM ${VIEW} WHERE ${IS_VIEW} AND obj_description(c.oid, 'pg_class') IS NOT NULL UNION ALL ` +
    `SELECT format('COMMENT ON COLUMN %I.%I IS %L', c.relname, t.attname, col_description(c.oid, t.attnum)), true ` +
    `FROM ${VIEW} JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid ` +
    `WHERE ${IS_VIEW} AND col_description(c.oid, t.attnum) IS NOT NULL UNION ALL ` +
    `SELECT format('ALTER VIEW %I OWNER TO %I', c.relname, pg_get_userbyid(c.relowner)), true ` +
    `FROM ${VIEW} WHERE ${IS_VIEW} AND pg_get_userbyid(c.relowner) <> current_user`,
  findViewColumns:
    `WITH w AS (SELECT ?::text AS name) SELECT t.attname AS name, CASE format_type(t.atttypid, NULL) WHEN 'double precision' THEN 'number' WHEN 'date' THEN 'date' ` +
    `WHEN 'timestamp with time zone' THEN 'timestamp' ELSE 'text' END AS kind ` +
    `FROM ${VIEW} JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid ` +
    `WHERE ${IS_VIEW} AND t.attnum > 0 AND NOT t.attisdropped`,
  findRelation:
    'SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ' +
    'WHERE n.nspname = current_schema() AND lower(c.relname) = lower(?)',
  listColumns:
    // Not information_schema, which hides what the role may not use.
    'SELECT a.attname AS name FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid ' +
    'JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ' +
    'WHERE n.nspname = current_schema() AND c.relname = ? AND a.attnum > 0 AND NOT a.attisdropped',
} satisfies Dialect

/**
 * The dates of the calendar in a regular expression, without backslashes. A cast fails the whole query for any other text, and
 * `pg_input_is_valid` came with PostgreSQL 16.
 */
const DATE =
  '(?!0000)[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|' +
  '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29'
const TIME =
  '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])'

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
