/**
 * The seed format: what a server holds before its first request, as plain JSON. `--seed FILE.json`, `seed:` in process,
 * the demo and the test builders all speak it. `parseSeed` checks one that comes from outside; whatever is left out
 * gets an id, a secret or an instant when the seed is loaded, so that one seed and one random source give one state.
 *
 * Names are wire names. An instant is an ISO 8601 date-time in UTC, or a span before the moment of loading such as
 * `-3d`, `-2h30m` or `-0s`: a demo made of spans never grows old.
 */
import type {
  AnswerValues,
  KeyScope,
  KnownFormStatus,
  KnownQuestionType,
  KnownWorkspaceRole,
} from '@formwire/contract'

/** ISO 8601 in UTC, or a span before loading (`-3d4h`). */
export type SeedInstant = string

export interface Seed {
  /** Version of this format. */
  version: 1
  users: SeedUser[]
  workspaces: SeedWorkspace[]
}

export interface SeedUser {
  /** Positive integer. Counted from 1 by default. */
  id?: number
  name: string
  /** Unique; workspaces and keys name the user by it. */
  email: string
}

export interface SeedWorkspace {
  /** Positive integer. Counted from 1 by default. */
  id?: number
  name: string
  /** `free` has no API, `starter` reads, `business` reads and writes (AUTH-11). @default 'business' */
  plan?: 'free' | 'starter' | 'business'
  members: SeedMember[]
  keys?: SeedKey[]
  forms?: SeedForm[]
}

export interface SeedMember {
  /** Email of a user of this seed. */
  user: string
  role: KnownWorkspaceRole
}

export interface SeedKey {
  name: string
  scope: KeyScope
  /** Email of a member of this workspace. */
  user: string
  /** The whole key, `svc_…`. Made up when left out. Only its hash is stored (AUTH-06). */
  key?: string
  /** @default false */
  revoked?: boolean
  created_at?: SeedInstant
}

export interface SeedForm {
  /** 12 letters and digits. Made up when left out. */
  id?: string
  /** Unique public identifier. Made up when left out. */
  slug?: string
  /** Title in the dashboard. */
  title: string
  /** Title on the public page, when the form was renamed since it was last published (FORM-09). @default `title` */
  published_title?: string
  /** @default 'published' */
  status?: KnownFormStatus
  /** In the trash: in no list, its link is dead (FORM-01). @default false */
  trashed?: boolean
  /** @default no limit */
  response_limit?: number | null
  opens_at?: SeedInstant | null
  closes_at?: SeedInstant | null
  /** @default the moment of loading, or the oldest instant below it when that is earlier */
  created_at?: SeedInstant
  /** @default `created_at` */
  updated_at?: SeedInstant
  questions?: SeedQuestion[]
  responses?: SeedResponse[]
  webhooks?: SeedWebhook[]
}

/** An option of a choice, or a row or column of a grid. */
export interface SeedChoice {
  id: string
  label: string
}

/** A question, as `POST /_app/forms` takes it. */
export interface SeedQuestion {
  /** Unique in its form. @default `q1`, `q2` … by position */
  id?: string
  type: KnownQuestionType
  title: string
  /** @default false */
  required?: boolean
  options?: SeedChoice[]
  allow_other?: boolean
  rows?: SeedChoice[]
  columns?: SeedChoice[]
  /** A number, or for dates and times the earliest one. */
  min?: number | string
  max?: number | string
  /** Points of each option: they make `score` and `max_score`. */
  points?: Record<string, number>
  /** Shown only when an earlier question was answered so: an option id for choices, else the value itself. */
  show_if?: { question_id: string; equals: unknown }
}

/** An answer's value, in the shape of its question's type (RESP-07). */
export interface SeedAnswer {
  question_id: string
  value: AnswerValues[KnownQuestionType]
}

export interface SeedResponse {
  /** @default 'submitted' */
  status?: 'submitted' | 'in_progress'
  /** @default `submitted_at` */
  started_at?: SeedInstant
  /** For a draft: when it was last saved. @default the moment of loading */
  submitted_at?: SeedInstant
  /** @default null */
  email?: string | null
  /** `device`, `browser`, `os`, `ref`, `utm` or any other key (RESP-08). @default {} */
  meta?: Record<string, unknown>
  answers: SeedAnswer[]
}

export interface SeedWebhook {
  /** Checked against the address rules at every attempt, not when the seed is loaded (HOOK-05). */
  url: string
  /** `false` while paused. @default true */
  active?: boolean
  /** `whsec_…`. Made up when left out. */
  secret?: string
  created_at?: SeedInstant
}
