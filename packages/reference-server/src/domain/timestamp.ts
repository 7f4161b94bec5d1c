import type { Unspecified } from '../unspecified.ts'

/**
 * An instant in ISO 8601 UTC, as the server's `timestamps` option writes it (ENV-05). Whole seconds are cut, never
 * rounded up: a `since` taken from one still includes its own response.
 */
export function formatTimestamp(instant: number, style: Unspecified['timestamps']): string {
  const text = new Date(instant).toISOString()
  switch (style) {
    case 'milliseconds':
      return text
    case 'seconds':
      return `${text.slice(0, 19)}Z`
    case 'microseconds':
      return `${text.slice(0, 23)}000Z`
    case 'offset':
      return `${text.slice(0, 23)}+00:00`
  }
}
