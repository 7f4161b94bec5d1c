/**
 * One of the documented values, or any other string: the service can add values at any time (ENV-04). Editors still
 * complete the documented ones.
 */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>)

/** An ISO 8601 timestamp in UTC, such as `2026-11-21T09:30:00.000Z` (ENV-05). */
export type Timestamp = string
