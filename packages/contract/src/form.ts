import type { OpenEnum, Timestamp } from './open-enum.ts'

/** The documented form statuses, in the order in which a form usually goes through them. */
export const FORM_STATUSES = ['draft', 'published', 'closed', 'archived'] as const

/** A documented form status. */
export type KnownFormStatus = (typeof FORM_STATUSES)[number]

/** Status of a form. An unknown string is a status that was added later (ENV-04). */
export type FormStatus = OpenEnum<KnownFormStatus>

/** The statuses that `PATCH /forms/{id}` accepts (FORM-05). */
export const SETTABLE_FORM_STATUSES = ['published', 'closed'] as const

/** A status that `PATCH /forms/{id}` accepts (FORM-05). */
export type SettableFormStatus = (typeof SETTABLE_FORM_STATUSES)[number]

/** A form, as the API returns it (FORM-04). */
export interface Form {
  /** 12 characters; the same id appears in dashboard URLs. */
  id: string
  /** Title in the dashboard. The public page shows the title that was last published in the builder (FORM-09). */
  title: string
  status: FormStatus
  /** Short public identifier. */
  slug: string
  /** Public link of the form. */
  url: string
  published: boolean
  /** Number of submitted responses. Deleting a response decreases it (FORM-12). */
  response_count: number
  /** Maximum number of submitted responses, or `null` for no limit (FORM-13). */
  response_limit: number | null
  /** When the public link starts to accept responses, or `null` (FORM-13). */
  opens_at: Timestamp | null
  /** When the public link stops accepting responses, or `null` (FORM-13). */
  closes_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** Body of `PATCH /forms/{id}`. At least one field is required (FORM-05). */
export interface FormUpdate {
  /** Accepted only for a form that has been published (FORM-06). */
  status?: SettableFormStatus | undefined
  /** 1 to 200 Unicode code points (FORM-05). */
  title?: string | undefined
}

/** Query of `GET /forms`. */
export interface FormListQuery {
  /** Returns only forms with this status (FORM-02). */
  status?: KnownFormStatus | undefined
  /** Page number, from 1. @default 1 */
  page?: number | undefined
  /** Items per page, 1 to 100. @default 25 */
  per_page?: number | undefined
}
