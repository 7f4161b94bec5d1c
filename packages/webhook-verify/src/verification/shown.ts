import { isObjectOrArray } from '@formwire/internal/json'

/** Formats an option's value for an error message: the value if it is short and plain, else its kind. */
export function shown(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString()
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  if (typeof value === 'function') return 'a function'
  return isObjectOrArray(value) ? 'an object' : String(value)
}
