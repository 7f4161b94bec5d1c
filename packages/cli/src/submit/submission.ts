import { readFile } from 'node:fs/promises'
import { fileFailure, usage } from '../failure.ts'
import { readStdin } from '../input/read-stdin.ts'
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
  const name = path === '-' ? 'stdin' : path
  const bytes = path === '-' ? await readStdin(runtime, MAX_BYTES) : await bytesOf(path)
  if (bytes.length > MAX_BYTES) throw usage(`${name} exceeds ${MAX_BYTES} bytes`)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch {
    throw usage(`${name} is not valid JSON`)
  }
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

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw fileFailure(`read ${path}`, error)
  }
}
