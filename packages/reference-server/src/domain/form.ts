import type { KnownFormStatus } from '@formwire/contract'
import type { Question } from './question/question.ts'

/** A form as it is stored. Immutable: a change makes a new record. Instants are milliseconds since the epoch. */
export interface FormRecord {
  /** 12 letters and digits. */
  readonly id: string
  /** Position in the order of updates: of two forms updated in one instant the later stands first (FORM-01). */
  readonly revision: number
  readonly workspaceId: number
  readonly slug: string
  /** Title in the dashboard (FORM-09). */
  readonly title: string
  readonly status: KnownFormStatus
  /** Questions as the builder has them; respondents see those of `publication`. */
  readonly questions: readonly Question[]
  /** What the public link shows, from the last time it was published; `null` before the first time. */
  readonly publication: Publication | null
  /** The status that `unarchive` goes back to; `null` unless archived. */
  readonly statusBeforeArchive: Exclude<KnownFormStatus, 'archived'> | null
  /** Submitted responses (FORM-12). */
  readonly responseCount: number
  readonly responseLimit: number | null
  readonly opensAt: number | null
  readonly closesAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  /** When it went to the trash; `null` when it is not there. */
  readonly trashedAt: number | null
}

/** Title and questions as they were last published (FORM-09). */
export interface Publication {
  readonly title: string
  readonly questions: readonly Question[]
  readonly publishedAt: number
}
