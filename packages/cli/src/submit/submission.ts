import { usage } from '../failure.ts'
import { readJsonInput } from '../input/read-input.ts'
import type { Runtime } from '../runtime.ts'

/** Limit of the service for a submission. */
const MAX_BYTES = 1024 * 1024

/** What the public link accepts. */
export interface Submission {
  answers: readonly { question_id: string; value: unknown }[]
  email?: string
}

/** Reads `--data`: a submission, or an object with one value per question id. @throws Failure exit 2 */
export async function readSubmission(runtime: Pick<Runtime, 'stdin'>, path: string): Promise<Submission> {
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
