import type { Faker } from '@faker-js/faker'
import type { KnownQuestionType } from '@formwire/contract'
import { isShown, makeValue, type Respondent } from './answers.ts'
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

/** How a form is made: its fields, and how many responses and drafts to make up for its questions. */
export interface FormOptions extends Omit<Partial<SeedForm>, 'responses'> {
  /** Responses as they are, or how many to make up. @default 0 */
  responses?: number | SeedResponse[]
  /** Saved drafts to make up besides. @default 0 */
  drafts?: number
  /** The made-up responses are spread over this many days. @default 60 */
  days?: number
  /** Days between the newest of them and loading: for a form that has ended. @default 0 */
  endedDaysAgo?: number
}

/**
 * Makes believable seeds that are the same every time: two factories with one `seed` number, asked the same in the same
 * order, answer the same. Emails are under example.com, phone numbers under 555.
 */
export class SeedFactory {
  readonly #faker: Faker

  constructor(faker: Faker) {
    this.#faker = faker
  }

  /** A user. The email has a number in it, so that no two are equal. */
  person(overrides: Partial<SeedUser> = {}): SeedUser {
    const { firstName, lastName, email } = this.#respondent()
    return { name: `${firstName} ${lastName}`, email, ...overrides }
  }

  /** A complete question of the type: options, rows and columns included. */
  question(type: KnownQuestionType, overrides: Partial<SeedQuestion> = {}): SeedQuestion {
    return makeQuestion(type, overrides)
  }

  /** An answer that the public form would take. */
  answer(question: SeedQuestion, value?: SeedAnswer['value']): SeedAnswer {
    return {
      question_id: questionId(question, 0),
      value: value ?? makeValue(this.#faker, question, this.#respondent()),
    }
  }

  /** A response to the questions: hidden questions are left out, optional ones skipped now and then. */
  response(questions: readonly SeedQuestion[], overrides: Partial<SeedResponse> = {}): SeedResponse {
    const respondent = this.#respondent()
    const submittedAgo = this.#faker.number.int({ max: 60 * DAY_MS })
    return { ...this.#response(questions, respondent, submittedAgo), ...overrides }
  }

  /** A published form with one question of a rating and one of a text, unless said otherwise. */
  form(options: FormOptions = {}): SeedForm {
    const { responses = 0, drafts = 0, days = 60, endedDaysAgo = 0, ...fields } = options
    const questions = fields.questions ?? [makeQuestion('rating'), makeQuestion('long_text')]
    const form: SeedForm = {
      title: `${this.#faker.company.name()} survey`,
      status: 'published',
      ...fields,
      questions,
    }
    form.responses = Array.isArray(responses)
      ? responses
      : this.#responses(questions, responses, days, endedDaysAgo)
    for (let made = 0; made < drafts; made += 1) form.responses.push(this.#draft(questions, days))
    return form
  }

  /** A workspace of one owner, with a write key and a read key, and its user for `Seed.users`. */
  workspace(
    overrides: Partial<SeedWorkspace> = {},
    owner: SeedUser = this.person(),
  ): Pick<Seed, 'users' | 'workspaces'> {
    const user = owner.email
    const workspace: SeedWorkspace = {
      name: this.#faker.company.name(),
      plan: 'business',
      members: [{ user, role: 'owner' }],
      keys: [
        { name: 'Write key', scope: 'write', user },
        { name: 'Read key', scope: 'read', user },
      ],
      ...overrides,
    }
    return { users: [owner], workspaces: [workspace] }
  }

  /** A whole seed: one workspace with these forms. */
  seed(...forms: SeedForm[]): Seed {
    return { version: 1, ...this.workspace({ forms }) }
  }

  #respondent(): Respondent {
    const firstName = this.#faker.person.firstName()
    const lastName = this.#faker.person.lastName()
    const local = `${firstName}.${lastName}`.toLowerCase().replace(/[^a-z.]/g, '')
    return { firstName, lastName, email: `${local}${this.#faker.string.numeric(4)}@example.com` }
  }

  /** Oldest first, denser towards the end, none later than five minutes ago. */
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

  /** A draft stops somewhere on the way. */
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
 * A factory for a seed number. Loads `@faker-js/faker`, which nothing else in the server does.
 * Without one, `new SeedFactory(faker)` takes a Faker of your own locale.
 */
export async function createSeedFactory(seed = 1): Promise<SeedFactory> {
  const { faker } = await import('@faker-js/faker/locale/en')
  const Isolated = faker.constructor as typeof Faker
  return new SeedFactory(new Isolated({ locale: faker.rawDefinitions, seed }))
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
