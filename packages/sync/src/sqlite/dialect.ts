import type { Dialect } from '../database/dialect.ts'

/** The type of the value of an answer `a`. */
const TYPE = `json_type(a.value, '$.value')`
const TEXT = `json_extract(a.value, '$.text')`
const IDS = `json_extract(a.value, '$.value.ids')`
const OTHER = `json_extract(a.value, '$.value.other')`
const IS_CHOICE = `json_type(a.value, '$.value.ids') IS 'array'`
const IS_GRID = `json_extract(a.value, '$.type') LIKE 'grid%' AND ${TYPE} = 'object'`
/** The text of a choice without the other text at its end. */
const LABELS = `CASE WHEN ${OTHER} IS NULL THEN ${TEXT} WHEN substr(${TEXT}, -2 - length(${OTHER})) = ', ' || ${OTHER}
    THEN substr(${TEXT}, 1, length(${TEXT}) - length(${OTHER}) - 2) END`
/** Its parts, as a JSON array. */
const PARTS = `'[' || replace(json_quote(${LABELS}), ', ', '","') || ']'`

/** SQLite. JSON is text, read by SQLite's JSON functions. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  types: { text: 'TEXT', integer: 'INTEGER', number: 'REAL', json: 'TEXT', boolean: 'INTEGER' },
  qualified: (name) => name,
  boolean: Number,
  parseJson: (value) => (typeof value === 'string' ? JSON.parse(value) : null),
  literal,
  // One statement is a transaction, and there is one writer.
  lockedNull: { sql: 'NULL', parameters: () => [] },
  // SQLite has no limit; a longer name helps nobody.
  maxNameBytes: 1000,
  // A join with json_each is evaluated once a row, unlike a subquery. It yields the row of the element 0, and "json" is all of its argument.
  // The keys are hexadecimal, since paths cannot quote every id; json_extract with a path that does not exist keeps the value as JSON.
  walk: `JOIN json_each('[0,' || (
  SELECT json_group_object(
    CASE WHEN ${TYPE} IN ('integer', 'real') THEN 'number' WHEN json_extract(a.value, '$.type') = 'date' THEN 'date' ELSE 'text' END
      || hex(json_extract(a.value, '$.question_id')),
    json_extract(a.value, CASE WHEN ${TYPE} IN ('object', 'array') THEN '$.text' ELSE '$.value' END, '$.none')
  ) FROM json_each(r.answers) AS a
) || ']', '$[0]') AS one`,
  answer: ({ id, kind }) =>
    `json_extract(one.json, '$[1].${kind}${Buffer.from(id).toString('hex').toUpperCase()}[0]')`,
  chosen: {
    columns: `json_extract(a.value, '$.question_id') AS question_id, json_extract(a.value, '$.type') AS type, chosen.atom AS option_id,
  json_quote(json_extract(a.value, '$.value')) AS value,
  CASE WHEN ${IS_CHOICE} IS FALSE THEN ${TEXT} WHEN chosen.atom IS NULL THEN ${OTHER} ELSE
    CASE json_array_length(${IDS}) WHEN 1 THEN ${LABELS}
      WHEN json_array_length(${PARTS}) THEN json_extract(${PARTS}, '$[' || chosen.key || ']') END END AS text`,
    // The leaves of a list of ids, in which null stands for the other text; of a grid; or of a list with one null.
    joins: `JOIN json_each(r.answers) AS a
JOIN json_tree(CASE WHEN ${IS_CHOICE} THEN CASE WHEN ${OTHER} IS NULL THEN ${IDS} ELSE json_insert(${IDS}, '$[#]', NULL) END
  WHEN ${IS_GRID} THEN json_extract(a.value, '$.value') ELSE '[null]' END) AS chosen ON chosen.type NOT IN ('object', 'array')`,
  },
  timestamp: (column) => column,
  findRelation: 'SELECT name FROM sqlite_master WHERE name = ? COLLATE NOCASE',
  listColumns: 'SELECT name FROM pragma_table_info(?)',
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
