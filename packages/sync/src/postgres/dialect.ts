import { type Dialect, wellFormed } from '../database/dialect.ts'
import { LOCK_CLASS, lockKey } from './lock.ts'

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
  waitForLocks: (ms) => `SET LOCAL lock_timeout = '${ms}ms'`,
  maxNameBytes: 63,
  answer(alias, questionId, kind) {
    const type = `jsonb_typeof(a -> 'value')`
    const shown =
      kind === 'number'
        ? `CASE WHEN ${type} = 'number' THEN (a ->> 'value')::double precision END`
        : `CASE WHEN ${type} IN ('object', 'array') THEN a ->> 'text' ELSE a ->> 'value' END`
    const list = `CASE WHEN jsonb_typeof(${alias}.answers) = 'array' THEN ${alias}.answers ELSE '[]'::jsonb END`
    return (
      `(SELECT ${shown} FROM jsonb_array_elements(${list}) AS a ` +
      `WHERE a ->> 'question_id' = ${literal(questionId)} LIMIT 1)`
    )
  },
  findRelation:
    'SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ' +
    'WHERE n.nspname = current_schema() AND lower(c.relname) = lower(?)',
  listColumns:
    // Not information_schema, which hides what the role may not use.
    'SELECT a.attname AS name FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid ' +
    'JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ' +
    'WHERE n.nspname = current_schema() AND c.relname = ? AND a.attnum > 0 AND NOT a.attisdropped',
} satisfies Dialect

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
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), cleanDeep(member)]))
}
