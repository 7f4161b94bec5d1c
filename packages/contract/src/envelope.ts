import type { ErrorCode } from './errors.ts'
import type { OpenEnum } from './open-enum.ts'

/** The answer that carries one object (ENV-01). */
export interface ItemEnvelope<Item> {
  data: Item
}

/** Where a page stands in its list (ENV-02, ENV-06). */
export interface PageMeta {
  /** Number of this page, from 1. */
  page: number
  /** Most items a page holds, 1 to 100. Default 25. */
  per_page: number
  /** How many items match the filters, over all pages. */
  total: number
}

/** The answer that carries one page of a list (ENV-02). */
export interface ListEnvelope<Item> {
  data: Item[]
  meta: PageMeta
}

/** What an error may add to its message (ERR-03). */
export interface ErrorDetails {
  /** The query parameter or body field at fault, when there is one. */
  field?: string
  [member: string]: unknown
}

/** The answer of every refused or failed request (ENV-03). */
export interface ErrorEnvelope {
  error: {
    code: OpenEnum<ErrorCode>
    /** For people. Not stable: branch on `code`. */
    message: string
    details?: ErrorDetails
  }
}

/** The answer of a DELETE that is done (RESP-04, HOOK-03). */
export interface Deleted {
  id: number
  deleted: true
}
