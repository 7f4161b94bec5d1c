import type { KnownFormStatus } from '@formwire/contract'
import type { Appearance } from './appearance.ts'
import type { Question } from './question/question.ts'

/** A form as it is stored. Records are immutable. Instants are milliseconds since the epoch. */
export interface FormRecord {
  /** 12 letters and digits. */
  readonly id: string
  /** Position in the order of updates. Of two forms updated at the same instant the later one is listed first (FORM-01). */
  readonly revision: number
  readonly workspaceId: number
  readonly slug: string
  /** Title in the dashboard (FORM-09). */
  readonly title: string
  readonly status: KnownFormStatus
  /** Questions in the builder. Respondents see those of `publication`. */
  readonly questions: readonly Question[]
  /** Appearance in the builder. Absent until a field of it is set. */
  readonly appearance?: Appearance
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

/** The title, questions and appearance that were last published (FORM-09). */
export interface Publication {
  readonly title: string
  readonly questions: readonly Question[]
  readonly appearance?: Appearance
  readonly publishedAt: number
}
