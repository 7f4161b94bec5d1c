import type { OpenEnum } from './open-enum.ts'

/** The documented error codes and the HTTP status of each. */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  validation_failed: 422,
  rate_limited: 429,
  server_error: 500,
} as const

/** A documented error code. */
export type ErrorCode = keyof typeof ERROR_STATUS

/** The HTTP status of a documented error. */
export type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode]

/** Response body with one object (ENV-01). */
export interface ItemEnvelope<Item> {
  data: Item
}

/** Position of a page in its list (ENV-02, ENV-06). */
export interface PageMeta {
  /** Number of this page, from 1. */
  page: number
  /** Maximum number of items per page, 1 to 100. @default 25 */
  per_page: number
  /** Number of items that match the filters, on all pages. */
  total: number
}

/** Response body with one page of a list (ENV-02). */
export interface ListEnvelope<Item> {
  data: Item[]
  meta: PageMeta
}

/** Additional information about an error (ERR-03). */
export interface ErrorDetails {
  /** The query parameter or body field that caused the error, if there is one. */
  field?: string
  [member: string]: unknown
}

/** Response body of every request that is rejected or fails (ENV-03). */
export interface ErrorEnvelope {
  error: {
    code: OpenEnum<ErrorCode>
    /** Human-readable and not stable. Branch on `code`. */
    message: string
    details?: ErrorDetails
  }
}

/** What a successful DELETE returns (RESP-04, HOOK-03). */
export interface Deleted {
  id: number
  deleted: true
}
