import { type Dialect, wellFormed } from '../database/dialect.ts'

/** SQLite. JSON is text, read by SQLite's JSON functions. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  types: { text: 'TEXT', integer: 'INTEGER', number: 'REAL', json: 'TEXT', boolean: 'INTEGER' },
  qualified: (name) => name,
  text: wellFormed,
  json: (text) => text,
  boolean: Number,
  parseJson: (value) => (typeof value === 'string' ? JSON.parse(value) : null),
  literal,
  // One statement is a transaction, and there is one writer.
  lockedNull: { sql: 'NULL', parameters: () => [] },
  // SQLite has no limit; a longer name helps nobody.
  maxNameBytes: 1000,
  answer(alias, questionId, kind) {
    const value = `json_extract(a.value, '$.value')`
    const text = `json_extract(a.value, '$.text')`
    const type = `json_type(a.value, '$.value')`
    const shown =
      kind === 'number'
        ? `CASE WHEN ${type} IN ('integer', 'real') THEN ${value} END`
        : `CASE WHEN ${type} IN ('object', 'array') THEN ${text} ELSE ${value} END`
    return (
      `(SELECT ${shown} FROM json_each(${alias}.answers) AS a ` +
      `WHERE json_extract(a.value, '$.question_id') = ${literal(questionId)} LIMIT 1)`
    )
  },
  timestamp: (column) => column,
  findRelation: 'SELECT name FROM sqlite_master WHERE name = ? COLLATE NOCASE',
  findReferences:
    'SELECT m.name AS name FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS f ' +
    `WHERE m.type = 'table' AND f."table" = ? COLLATE NOCASE`,
  listColumns: 'SELECT name FROM pragma_table_info(?)',
}

/** A NUL would end the statement. */
function literal(text: string): string {
  return wellFormed(text)
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(' || char(0) || ')
}
