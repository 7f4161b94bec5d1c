import { isDeepStrictEqual } from 'node:util'
import type { Dialect } from '../database/dialect.ts'
import type { SqlRow, SqlValue } from '../database/driver.ts'
import { RESPONSE_COLUMNS } from './row.ts'

/** Whether a stored row has the given values of {@link RESPONSE_COLUMNS}. JSON is compared by value. */
export function sameRow(row: SqlRow, values: readonly SqlValue[], dialect: Dialect): boolean {
  return RESPONSE_COLUMNS.every((name, index) => {
    const stored = row[name]
    const given = values[index] as SqlValue
    if (name === 'answers' || name === 'meta') {
      if (stored === given) return true
      return stored !== null && isDeepStrictEqual(dialect.parseJson(stored), JSON.parse(given as string))
    }
    if (typeof given === 'number') return stored !== null && Number(stored) === given
    return stored === given
  })
}
