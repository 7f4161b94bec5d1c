import type { OpenEnum, Timestamp } from './open-enum.ts'

/** The documented form states, in the order of a form's life. */
export const FORM_STATUSES = ['draft', 'published', 'closed', 'archived'] as const

/** A documented form state. */
export type KnownFormStatus = (typeof FORM_STATUSES)[number]

/** State of a form. An unknown string is a state that a later version added (ENV-04). */
export type FormStatus = OpenEnum<KnownFormStatus>

/** The states that `PATCH /forms/{id}` takes (FORM-05). */
export const SETTABLE_FORM_STATUSES = ['published', 'closed'] as const

/** A state that `PATCH /forms/{id}` takes (FORM-05). */
export type SettableFormStatus = (typeof SETTABLE_FORM_STATUSES)[number]

/** A form as the API shows it (FORM-04). */
export interface Form {
  /** 12 characters; the same id appears in dashboard URLs. */
  id: string
  /** Title in the dashboard. The public page keeps the title last published in the builder (FORM-09). */
  title: string
  status: FormStatus
  /** Short public identifier. */
  slug: string
  /** Public link of the form. */
  url: string
  published: boolean
  /** Submitted responses; lowered when one is deleted (FORM-12). */
  response_count: number
  /** Most submitted responses the public link takes, or `null` for no limit (FORM-13). */
  response_limit: number | null
  /** Instant from which the public link takes responses, or `null` (FORM-13). */
  opens_at: Timestamp | null
  /** Instant from which the public link refuses responses, or `null` (FORM-13). */
  closes_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** Body of `PATCH /forms/{id}`: at least one member (FORM-05). */
export interface FormUpdate {
  /** Only for a form that is already published (FORM-06). */
  status?: SettableFormStatus
  /** 1 to 200 Unicode code points (FORM-05). */
  title?: string
}

/** Query of `GET /forms`. */
export interface FormListQuery {
  /** Keeps the forms in this state (FORM-02). */
  status?: KnownFormStatus
  /** From 1. Default 1. */
  page?: number
  /** 1 to 100. Default 25. */
  per_page?: number
}
