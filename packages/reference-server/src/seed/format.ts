/**
 * The seed format: the initial data of a server, as plain JSON. It is used by `--seed FILE.json`, the `seed` option, the
 * demo and the factories. `parseSeed` validates a seed from outside. Ids, secrets and instants that are left out are
 * generated when the seed is loaded, so that the same seed and random source always give the same state.
 *
 * Names are wire names. An instant is an ISO 8601 date-time in UTC, or a span before loading such as `-3d`, `-2h30m` or
 * `-0s`. A seed made of spans never becomes outdated.
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
  /**
   * Version of this format. 2 adds what a pulled seed has: ids of responses and endpoints, scores, durations, counts, and
   * answers as the service wrote them. @default 1
   */
  version?: 1 | 2 | undefined
  /** Where the data was pulled from. @default it was not pulled */
  source?: SeedSource | undefined
  users: SeedUser[]
  workspaces: SeedWorkspace[]
}

/** The service that a seed was pulled from, and how. */
export interface SeedSource {
  /** Root URL of the service. */
  base_url: string
  /** When it was pulled, ISO 8601. Moved like all times if they were. */
  pulled_at: string
  /** Whether all times were moved, by a span that is not in the seed. @default false */
  shifted?: boolean | undefined
  /** Whether all forms of the workspace were pulled. @default false */
  all?: boolean | undefined
  /** How personal data was replaced; `false` if it was not. */
  scrubbed: 'normal' | 'strict' | false
  /** Only responses submitted since. Moved like all times if they were. @default all */
  since?: string | undefined
  /** The newest submitted responses of each form, at most, and as many drafts. @default all */
  limit?: number | undefined
  /** Whether drafts were pulled. @default false */
  drafts?: boolean | undefined
  /** Questions that were kept as they are by choice, `FORM.QUESTION`. @default none */
  kept?: string[] | undefined
}

export interface SeedUser {
  /** Positive integer. Counted from 1 by default. */
  id?: number | undefined
  name: string
  /** Unique. Workspaces and keys refer to the user by it. */
  email: string
}

export interface SeedWorkspace {
  /** Positive integer. Counted from 1 by default. */
  id?: number | undefined
  name: string
  /** `free` has no API access, `starter` may read, `business` may read and write (AUTH-11). @default 'business' */
  plan?: 'free' | 'starter' | 'business' | undefined
  members: SeedMember[]
  keys?: SeedKey[] | undefined
  forms?: SeedForm[] | undefined
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
  /** The whole key, `svc_…`. Only its hash is stored (AUTH-06). @default generated */
  key?: string | undefined
  /** @default false */
  revoked?: boolean | undefined
  created_at?: SeedInstant | undefined
}

/** A form. Its language is published with it. */
export interface SeedForm {
  /** 12 letters and digits. @default generated */
  id?: string | undefined
  /** Unique public identifier. @default generated */
  slug?: string | undefined
  /** Title in the dashboard. */
  title: string
  /** Title on the public page, if the form was renamed after it was last published (FORM-09). @default `title` */
  published_title?: string | undefined
  /** BCP 47 tag, such as `pt-BR`. @default unknown */
  language?: string | null | undefined
  /** @default 'published' */
  status?: KnownFormStatus | undefined
  /** Whether the form is in the trash: not listed, and its public link returns 404 (FORM-01). @default false */
  trashed?: boolean | undefined
  /** @default no limit */
  response_limit?: number | null | undefined
  opens_at?: SeedInstant | null | undefined
  closes_at?: SeedInstant | null | undefined
  /** @default the moment of loading, or the oldest instant of its responses and endpoints if that is earlier */
  created_at?: SeedInstant | undefined
  /** @default `created_at` */
  updated_at?: SeedInstant | undefined
  /** Version 2. For a form of which only some responses are in the seed. @default the number of its submitted responses */
  response_count?: number | undefined
  questions?: SeedQuestion[] | undefined
  responses?: SeedResponse[] | undefined
  webhooks?: SeedWebhook[] | undefined
}

/** An option of a choice, or a row or column of a grid. */
export interface SeedChoice {
  id: string
  label: string
}

/** A question, in the format of `POST /_app/forms`. */
export interface SeedQuestion {
  /** Unique in its form. @default `q1`, `q2` … by position */
  id?: string | undefined
  type: KnownQuestionType
  title: string
  /** @default false */
  required?: boolean | undefined
  options?: SeedChoice[] | undefined
  allow_other?: boolean | undefined
  rows?: SeedChoice[] | undefined
  columns?: SeedChoice[] | undefined
  /** A number; for dates and times, the earliest value. */
  min?: number | string | undefined
  max?: number | string | undefined
  /** Points of each option, summed up in `score` and `max_score`. */
  points?: Record<string, number> | undefined
  /** Shows the question only for this answer to an earlier one: an option id for choices, otherwise the value. */
  show_if?: { question_id: string; equals: unknown } | undefined
}

/** An answer's value, in the shape of its question's type (RESP-07). */
export interface SeedAnswer {
  question_id: string
  value: AnswerValues[KnownQuestionType]
  /**
   * Version 2. The text as the service wrote it: the answer is kept as recorded. Its value must have the shape of its type,
   * but need not keep the rules of the question, which may have changed since. Answers of a response that has one keep their order.
   */
  text?: string | undefined
  /** With `text`: the title at that time. @default that of the question */
  title?: string | undefined
  /** With `text`: the name of the type as the service wrote it; the value may then have any shape. @default the type of the question */
  type?: string | undefined
}

export interface SeedResponse {
  /** Version 2. Positive integer, unique in the seed. Generated ids are larger than all of these. @default generated */
  id?: number | undefined
  /** @default 'submitted' */
  status?: 'submitted' | 'in_progress' | undefined
  /** @default `submitted_at` */
  started_at?: SeedInstant | undefined
  /** For a draft, the time of the last save. @default the moment of loading */
  submitted_at?: SeedInstant | undefined
  /** Version 2. Whole seconds. @default from `started_at` to `submitted_at` */
  duration_sec?: number | undefined
  /** @default null */
  email?: string | null | undefined
  /** Version 2. @default the sum of the points of the answers */
  score?: number | null | undefined
  /** Version 2. @default the sum of the best points of the questions */
  max_score?: number | null | undefined
  /** `device`, `browser`, `os`, `ref`, `utm` or any other key (RESP-08). @default {} */
  meta?: Record<string, unknown> | undefined
  answers: SeedAnswer[]
}

export interface SeedWebhook {
  /** Version 2. Positive integer, unique in the seed. Generated ids are larger than all of these. @default generated */
  id?: number | undefined
  /** Checked against the address rules at every attempt, not when the seed is loaded (HOOK-05). */
  url: string
  /** `false` while paused. @default true */
  active?: boolean | undefined
  /** `whsec_…`. @default generated */
  secret?: string | undefined
  created_at?: SeedInstant | undefined
  /**
   * Whether it points to the built-in receiver of the server, which responds to everything with 200: the host and port of
   * `url` are replaced when the server listens. @default false
   */
  built_in?: boolean | undefined
}
