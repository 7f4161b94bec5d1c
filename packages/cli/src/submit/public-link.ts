import { randomInt } from 'node:crypto'
import type { Form } from '@formwire/contract'
import type { SeedFactory } from '@formwire/reference-server/testing'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure, failed, usage } from '../failure.ts'
import { errorFacts, referenceServerVersion, requestEnvelope } from '../http/service.ts'
import { readJsonInput } from '../input/read-input.ts'
import { safeLine } from '../output/text-safety.ts'
import { withoutPeriod } from '../service-message.ts'

/** Limit of the service for a submission. */
const MAX_BYTES = 1024 * 1024

/** What the public link accepts. */
export interface Submission {
  answers: readonly { question_id: string; value: unknown }[]
  email?: string
}

/** Reads `--data`: a submission, or an object with one value per question id. @throws Failure exit 2 */
export async function readSubmission(runtime: Context['runtime'], path: string): Promise<Submission> {
  const { name, value } = await readJsonInput(runtime, path, MAX_BYTES)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usage(`${name} must contain a JSON object`, 'for example {"name": "Ada", "stars": 5}')
  // A question may be called "answers": then its value is not a list of answers.
  const { answers } = value as { answers?: unknown }
  if (Array.isArray(answers) && answers.every((one) => typeof one?.question_id === 'string'))
    return value as Submission
  return {
    answers: Object.entries(value).map(([question_id, one]) => ({ question_id, value: one as unknown })),
  }
}

/**
 * Submits `count` responses through the public link of a form on a reference server; that of a real service is for people.
 * @param given the response, else its answers are generated, but for files
 * @throws Failure exit 1 if the server is not a reference server, or the form refuses a response; exit 2 for an unknown question
 */
export async function* submitted(
  context: Context,
  { id, status, url }: Pick<Form, 'id' | 'status' | 'url'>,
  { given, email, count }: { given: Submission | undefined; email: string | undefined; count: number },
): AsyncGenerator<{ id: number; status: string }> {
  const base = context.baseUrl().replace(/\/$/, '')
  if ((await referenceServerVersion(base, context.runtime)) === undefined)
    throw failed(
      'no_reference_server',
      'responses submit requires a reference server',
      'start one with formwire serve; on a real service, open the public link in a browser',
    )
  const refused = (message: string, facts: { code: string; status?: number }): Failure =>
    new Failure(`could not submit a response to form ${id}: ${message}`, { ...facts, exitCode: EXIT.failed })
  if (status !== 'published') throw refused(`its status is ${status}`, { code: 'form_closed' })
  // The link may have the host that respondents use; the path is the same at this server.
  const link = base + new URL(url, base).pathname
  const send = async (content?: object): Promise<unknown> => {
    const { status, envelope } = await requestEnvelope(link, context.runtime, { content })
    if (status < 300) return envelope.data
    const { message = `its link responded with ${status}` } = envelope.error ?? {}
    throw refused(withoutPeriod(message), errorFacts(envelope, status))
  }
  const { questions } = (await send()) as { questions: Parameters<SeedFactory['response']>[0] }
  const ids = questions.map((question) => question.id)
  // The public link ignores answers to other questions, such as one with a misspelt id.
  const unknown = given?.answers.find(({ question_id }) => !ids.includes(question_id))
  if (unknown)
    throw usage(
      `the form has no question "${safeLine(unknown.question_id)}"`,
      `its questions: ${safeLine(ids.join(', '))}`,
    )
  const testing = given ? undefined : await import('@formwire/reference-server/testing')
  const factory = await testing?.createSeedFactory(randomInt(2 ** 31))
  const asked = questions.filter(({ type }) => type !== 'file' && type !== 'signature')
  for (let number = 0; number < count; number += 1) {
    const { answers = [] } = given ?? factory?.response(asked) ?? {}
    const submission = { ...given, answers, ...(email !== undefined && { email }) }
    yield (await send(submission)) as { id: number; status: string }
  }
}
