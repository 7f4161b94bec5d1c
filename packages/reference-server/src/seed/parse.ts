import { FORM_STATUSES, KEY_SCOPES, LIMITS, WORKSPACE_ROLES } from '@formwire/contract'
import { formTitleSchema } from '@formwire/contract/schemas'
import * as z from 'zod'
import { readLanguage } from '../domain/language.ts'
import { quote } from '../known-names.ts'
import { QUESTION_FIELDS } from '../services/question-fields.ts'
import { findBrokenReferences } from './check-references.ts'
import type { Seed } from './format.ts'
import { resolveInstant } from './instant.ts'
import { SeedError } from './seed-error.ts'

/**
 * Validates a seed from outside: fields, instants, references to users, questions as in the form builder, and answers as
 * in the public form. An unknown field is rejected, because it is most likely a typo.
 * @throws SeedError with the path of every problem.
 */
export function parseSeed(value: unknown): Seed {
  const parsed = seedSchema.safeParse(value)
  if (!parsed.success) {
    throw new SeedError(
      parsed.error.issues.map((issue) => ({ path: pathText(issue.path), message: issue.message })),
    )
  }
  const seed = parsed.data as unknown as Seed
  const broken = findBrokenReferences(seed)
  if (broken.length > 0) throw new SeedError(broken)
  return seed
}

const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  )

/** Largest id of a seed. JavaScript rounds integers above 2^53, and ids that are generated after the largest need room. */
export const LARGEST_ID = 9_000_000_000_000_000

const id = z.int().min(1).max(LARGEST_ID)
const count = z.int().min(0)
const text = z.string().min(1)
const email = z.email()

/** Whether a user of a seed can have this email address. */
export const isSeedEmail = (address: string): boolean => email.safeParse(address).success

const instant = z
  .string()
  .refine(
    (value) => !Number.isNaN(resolveInstant(value, 0)),
    'expected an ISO 8601 date-time in UTC, or a span before loading such as -3d4h',
  )

/** The values of a question are validated with the questions of the form builder. */
const question = z.strictObject(
  Object.fromEntries(QUESTION_FIELDS.map((field) => [field, z.unknown().optional()])),
)

const answer = z.strictObject({
  question_id: text,
  value: z.unknown(),
  text: z.string().optional(),
  title: z.string().optional(),
  type: text.optional(),
})

const response = z.strictObject({
  id: id.optional(),
  status: z.enum(['submitted', 'in_progress']).optional(),
  started_at: instant.optional(),
  submitted_at: instant.optional(),
  duration_sec: count.optional(),
  email: z.string().nullable().optional(),
  score: z.number().nullable().optional(),
  max_score: z.number().nullable().optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
  answers: z.array(answer),
})

const webhook = z.strictObject({
  id: id.optional(),
  url: z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
    .max(LIMITS.webhookUrlMaxLength),
  active: z.boolean().optional(),
  secret: z
    .string()
    .regex(/^whsec_.+/, 'expected a secret that starts with whsec_')
    .optional(),
  created_at: instant.optional(),
  built_in: z.boolean().optional(),
})

/** Validated as in the form builder. */
const language = z
  .string()
  .nullable()
  .check(({ value, issues }) => {
    const reading = readLanguage(value)
    if (!reading.ok) issues.push({ code: 'custom', input: value, message: reading.refusal.message })
  })

const form = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9A-Za-z]{12}$/, 'expected 12 letters and digits')
    .optional(),
  slug: z
    .string()
    .regex(/^[0-9A-Za-z_-]{1,100}$/, 'expected letters, digits, - and _')
    .optional(),
  title: formTitleSchema,
  published_title: formTitleSchema.optional(),
  status: z.enum(FORM_STATUSES).optional(),
  trashed: z.boolean().optional(),
  response_limit: z.int().min(1).nullable().optional(),
  opens_at: instant.nullable().optional(),
  closes_at: instant.nullable().optional(),
  created_at: instant.optional(),
  updated_at: instant.optional(),
  response_count: count.optional(),
  language: language.optional(),
  // Of seeds of earlier versions. They are dropped.
  intro: z.unknown().optional(),
  logo: z.unknown().optional(),
  accent: z.unknown().optional(),
  questions: z.array(question).optional(),
  responses: z.array(response).optional(),
  webhooks: z.array(webhook).max(LIMITS.webhooksPerForm).optional(),
})

const key = z.strictObject({
  name: text,
  scope: z.enum(KEY_SCOPES),
  user: text,
  // The message never contains the value, which may be a real key.
  key: z
    .string()
    .regex(/^svc_[0-9A-Za-z]{16,}$/, 'expected svc_ and at least 16 letters and digits')
    .optional(),
  revoked: z.boolean().optional(),
  created_at: instant.optional(),
})

const workspace = z.strictObject({
  id: id.optional(),
  name: text,
  plan: z.enum(['free', 'starter', 'business']).optional(),
  members: z.array(z.strictObject({ user: text, role: z.enum(WORKSPACE_ROLES) })).min(1),
  keys: z.array(key).optional(),
  forms: z.array(form).optional(),
})

const source = z.strictObject({
  base_url: text,
  pulled_at: z.iso.datetime(),
  shifted: z.boolean().optional(),
  all: z.boolean().optional(),
  scrubbed: z.union([z.enum(['normal', 'strict']), z.literal(false)]),
  since: text.optional(),
  limit: id.optional(),
  drafts: z.boolean().optional(),
  kept: z.array(text).optional(),
})

const seedSchema = z.strictObject({
  version: z
    .literal([1, 2], {
      error: ({ input }) =>
        `must be 1 or 2, got ${quote(input)}${Number(input) > 2 ? ': written by a newer version of formwire' : ''}`,
    })
    .optional(),
  source: source.optional(),
  users: z.array(z.strictObject({ id: id.optional(), name: text, email })).min(1),
  workspaces: z.array(workspace).min(1),
})
