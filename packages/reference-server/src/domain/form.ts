import type { KnownFormStatus } from '@formwire/contract'
import type { Question } from './question/question.ts'

/** A form as it is stored. Records are immutable. Instants are milliseconds since the epoch. */
export interface FormRecord {
  /** 12 letters and digits. */
  readonly id: string
  /** Position in the order of edits; responses are none. Of two forms updated at the same instant the later edit is listed first (FORM-01). */
  readonly revision: number
  readonly workspaceId: number
  readonly slug: string
  /** Title in the dashboard (FORM-09). */
  readonly title: string
  readonly status: KnownFormStatus
  /** Questions in the builder. Respondents see those of `publication`. */
  readonly questions: readonly Question[]
  /** BCP 47 tag in the builder. Absent until it is set. */
  readonly language?: string | null
  /** What the public link shows, `null` until the form is published. */
  readonly publication: Publication | null
  /** The status that `unarchive` restores, `null` unless archived. */
  readonly statusBeforeArchive: Exclude<KnownFormStatus, 'archived'> | null
  /** Number of submitted responses (FORM-12). */
  readonly responseCount: number
  readonly responseLimit: number | null
  readonly opensAt: number | null
  readonly closesAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  /** When it was moved to the trash, `null` otherwise. */
  readonly trashedAt: number | null
}

/** The title, questions and language that were last published (FORM-09). */
export interface Publication {
  readonly title: string
  readonly questions: readonly Question[]
  readonly language?: string | null
  readonly publishedAt: number
}
