/**
 * One of the documented values, or a string that a later version of the service may add.
 * The editor still offers the documented ones. Additive changes can appear at any time in v1 (ENV-04).
 */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>)

/** An ISO 8601 timestamp in UTC, as the service wrote it, such as `2026-11-21T09:30:00.000Z` (ENV-05). */
export type Timestamp = string
