import type { KnownQuestionType } from '@formwire/contract'
import { type Given, given } from '@formwire/internal/given'
import { namesOf, refuseUnknownOptions } from '../known-names.ts'
import { isShown, makeValue, type Respondent } from './answers.ts'
import { createFaker, type SeedFaker } from './faker.ts'
import type {
  Seed,
  SeedAnswer,
  SeedForm,
  SeedQuestion,
  SeedResponse,
  SeedUser,
  SeedWorkspace,
} from './format.ts'
import { spanBefore } from './instant.ts'
import { makeQuestion } from './questions.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** The fields of a form, and how many responses and drafts to generate for it. */
export interface FormOptions extends Omit<Given<SeedForm>, 'responses'> {
  /** The responses, or how many to generate. @default 0 */
  responses?: number | SeedResponse[] | undefined
  /** How many drafts to generate. @default 0 */
  drafts?: number | undefined
  /** Number of days that the generated responses are spread over. @default 60 */
  days?: number | undefined
  /** Days between the newest generated response and loading, for a form that has ended. @default 0 */
  endedDaysAgo?: number | undefined
}

const PERSON = namesOf<SeedUser>({ id: true, name: true, email: true })
const RESPONSE = namesOf<SeedResponse>({
  id: true,
  status: true,
  started_at: true,
  submitted_at: true,
  duration_sec: true,
  email: true,
  score: true,
  max_score: true,
  meta: true,
  answers: true,
})
const WORKSPACE = namesOf<SeedWorkspace>({
  id: true,
  name: true,
  plan: true,
  members: true,
  keys: true,
  forms: true,
})
const FORM = namesOf<FormOptions>({
  id: true,
  slug: true,
  title: true,
  published_title: true,
  status: true,
  trashed: true,
  response_limit: true,
  opens_at: true,
  closes_at: true,
  created_at: true,
  updated_at: true,
  response_count: true,
  language: true,
  questions: true,
  webhooks: true,
  responses: true,
  drafts: true,
  days: true,
  endedDaysAgo: true,
})

/**
 * Generates realistic seed data, deterministically: two factories with the same `seed` number return the same values for
 * the same calls. Emails are under example.com, phone numbers under 555. An unknown option throws an OptionError.
 */
export class SeedFactory {
  readonly #faker: SeedFaker

  constructor(faker: SeedFaker) {
    this.#faker = faker
  }

  /** Generates a user. The email contains a number, which makes it unique. */
  person(overrides: Given<SeedUser> = {}): SeedUser {
    refuseUnknownOptions(overrides, PERSON, 'person')
    const { firstName, lastName, email } = this.#respondent()
    return { name: `${firstName} ${lastName}`, email, ...given(overrides) }
  }

  /** Returns a complete question of the type, with options, rows and columns. */
  question(type: KnownQuestionType, overrides: Given<SeedQuestion> = {}): SeedQuestion {
    return makeQuestion(type, overrides)
  }

  /** Returns an answer with the given value, or with a generated one that the public form accepts. */
  answer(question: SeedQuestion, value?: SeedAnswer['value']): SeedAnswer {
    return {
      question_id: questionId(question, 0),
      value: value ?? makeValue(this.#faker, question, this.#respondent()),
    }
  }

  /** Generates a response. Hidden questions are left out, and optional ones are sometimes skipped. */
  response(questions: readonly SeedQuestion[], overrides: Given<SeedResponse> = {}): SeedResponse {
    refuseUnknownOptions(overrides, RESPONSE, 'response')
    const respondent = this.#respondent()
    const submittedAgo = this.#faker.number.int({ max: 60 * DAY_MS })
    return { ...this.#response(questions, respondent, submittedAgo), ...given(overrides) }
  }

  /**
   * Generates a form. By default it is published and has a rating and a long text question.
   *
   * @example
   * ```ts
   * make.form({ title: 'Feedback', responses: 40, drafts: 2 })
   * ```
   */
  form(options: FormOptions = {}): SeedForm {
    refuseUnknownOptions(options, FORM, 'form')
    const { responses = 0, drafts = 0, days = 60, endedDaysAgo = 0, ...fields } = options
    const questions = fields.questions ?? [makeQuestion('rating'), makeQuestion('long_text')]
    const form: SeedForm = {
      title: `${this.#faker.company.name()} survey`,
      status: 'published',
      ...given(fields),
      questions,
    }
    form.responses = Array.isArray(responses)
      ? responses
      : this.#responses(questions, responses, days, endedDaysAgo)
    for (let made = 0; made < drafts; made += 1) form.responses.push(this.#draft(questions, days))
    return form
  }

  /** Generates a workspace with one owner, a write key and a read key, and the owner for `Seed.users`. */
  workspace(
    overrides: Given<SeedWorkspace> = {},
    owner: SeedUser = this.person(),
  ): Pick<Seed, 'users' | 'workspaces'> {
    refuseUnknownOptions(overrides, WORKSPACE, 'workspace')
    const user = owner.email
    const workspace: SeedWorkspace = {
      name: this.#faker.company.name(),
      plan: 'business',
      members: [{ user, role: 'owner' }],
      keys: [
        { name: 'Write key', scope: 'write', user },
        { name: 'Read key', scope: 'read', user },
      ],
      ...given(overrides),
    }
    return { users: [owner], workspaces: [workspace] }
  }

  /** Generates a seed of one workspace with these forms. */
  seed(...forms: SeedForm[]): Seed {
    return { version: 2, ...this.workspace({ forms }) }
  }

  #respondent(): Respondent {
    const firstName = this.#faker.person.firstName()
    const lastName = this.#faker.person.lastName()
    const local = `${firstName}.${lastName}`.toLowerCase().replace(/[^a-z.]/g, '')
    return { firstName, lastName, email: `${local}${this.#faker.string.numeric(4)}@example.com` }
  }

  /** Oldest first, more frequent towards the end, and at least five minutes old. */
  #responses(
    questions: readonly SeedQuestion[],
    count: number,
    days: number,
    endedDaysAgo: number,
  ): SeedResponse[] {
    const newest = endedDaysAgo * DAY_MS + 5 * MINUTE_MS
    const ages = Array.from(
      { length: count },
      () => newest + this.#faker.number.float() ** 1.5 * days * DAY_MS,
    )
    return ages.sort((a, b) => b - a).map((age) => this.#response(questions, this.#respondent(), age))
  }

  #response(questions: readonly SeedQuestion[], respondent: Respondent, submittedAgo: number): SeedResponse {
    const duration = this.#faker.number.int({ min: 25_000, max: 900_000 })
    return {
      started_at: spanBefore(submittedAgo + duration),
      submitted_at: spanBefore(submittedAgo),
      email: this.#faker.datatype.boolean(0.6) ? respondent.email : null,
      meta: this.#meta(),
      answers: this.#answers(questions, respondent),
    }
  }

  /** A draft answers only the first questions. */
  #draft(questions: readonly SeedQuestion[], days: number): SeedResponse {
    const reached = this.#faker.number.int({ min: 1, max: Math.max(1, questions.length - 1) })
    const age = this.#faker.number.float() * days * DAY_MS + 5 * MINUTE_MS
    return {
      ...this.#response(questions.slice(0, reached), this.#respondent(), age),
      status: 'in_progress',
      email: null,
    }
  }

  #answers(questions: readonly SeedQuestion[], respondent: Respondent): SeedAnswer[] {
    const answers: SeedAnswer[] = []
    questions.forEach((question, index) => {
      if (!isShown(question, answers)) return
      if (!question.required && this.#faker.datatype.boolean(0.12)) return
      answers.push({
        question_id: questionId(question, index),
        value: makeValue(this.#faker, question, respondent),
      })
    })
    return answers
  }

  #meta(): Record<string, unknown> {
    const [device, browser, os] = this.#faker.helpers.arrayElement(CLIENTS)
    const source = this.#faker.helpers.arrayElement(SOURCES)
    return {
      device,
      browser,
      os,
      ref: source ? `https://${source}.example.com/` : null,
      utm: source ? { source, campaign: 'autumn' } : null,
    }
  }
}

/**
 * Creates a factory for a seed number. For another locale, pass a Faker of `@faker-js/faker` to `new SeedFactory(faker)`.
 */
export async function createSeedFactory(seed = 1): Promise<SeedFactory> {
  return new SeedFactory(await createFaker(seed))
}

const questionId = (question: SeedQuestion, index: number): string => question.id ?? `q${index + 1}`

const CLIENTS = [
  ['mobile', 'Mobile Safari', 'iOS'],
  ['mobile', 'Chrome', 'Android'],
  ['desktop', 'Chrome', 'Windows'],
  ['desktop', 'Firefox', 'Linux'],
  ['desktop', 'Safari', 'macOS'],
  ['tablet', 'Mobile Safari', 'iOS'],
] as const

const SOURCES = [null, null, 'newsletter', 'search', 'partner'] as const
