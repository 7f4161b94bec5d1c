import type { Unspecified } from '../unspecified.ts'

/**
 * Returns an instant in ISO 8601 UTC, in the format of the server's `timestamps` option (ENV-05). Whole seconds are
 * truncated, so that a `since` copied from a response still includes that response.
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
