import { createHash } from 'node:crypto'
import { isObject } from '@formwire/internal/json'
import type { Dialect } from '../database/dialect.ts'
import type { SqlRow, SqlValue } from '../database/driver.ts'
import { RESPONSE_COLUMNS } from '../rows/row.ts'

const MODULUS = 2n ** 256n

/** A hash of a set of contents, whatever their order: the sum of their SHA-256. */
export class SetHash {
  #sum = 0n

  add(content: string): void {
    const digest = createHash('sha256').update(content).digest('hex')
    this.#sum = (this.#sum + BigInt(`0x${digest}`)) % MODULUS
  }

  /** Adds the contents of another set. */
  join(other: SetHash): void {
    this.#sum = (this.#sum + other.#sum) % MODULUS
  }

  toString(): string {
    return this.#sum.toString(16).padStart(64, '0')
  }
}

/** Returns one text for the id and the content of a response, given the values of {@link RESPONSE_COLUMNS}. */
export function contentOfValues(values: readonly SqlValue[]): string {
  return JSON.stringify(
    values.map((value, index) =>
      isJson(RESPONSE_COLUMNS[index]) ? sorted(JSON.parse(String(value))) : value,
    ),
  )
}

/** Returns the text that {@link contentOfValues} returns for a live row with the same content. */
export function contentOfRow(row: SqlRow, dialect: Dialect): string {
  const content = JSON.stringify(
    RESPONSE_COLUMNS.map((name) => {
      if (isJson(name)) return sorted(parsed(row[name], dialect))
      const isNumber = NUMBERS.has(name) && row[name] !== null && Number.isFinite(Number(row[name]))
      return isNumber ? Number(row[name]) : row[name]
    }),
  )
  return row.deleted_at === null ? content : `${content} deleted`
}

const NUMBERS: ReadonlySet<string> = new Set(['id', 'duration_sec', 'score', 'max_score'])

const isJson = (name: string | undefined): boolean => name === 'answers' || name === 'meta'

function parsed(value: unknown, dialect: Dialect): unknown {
  try {
    return dialect.parseJson(value)
  } catch {
    return { invalid: String(value) }
  }
}

/** Sorts members by name: `jsonb` does not keep their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}
