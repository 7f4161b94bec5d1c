import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(process.env.DATA ?? '.', 'responses.jsonl')

/** Appends a response: the whole line or nothing. */
export function append(formId, { id, submitted_at, answers }) {
  appendFileSync(FILE, `${JSON.stringify({ form: formId, id, submitted_at, answers })}\n`)
}

/** Returns everything that was appended. */
export function stored() {
  if (!existsSync(FILE)) return []
  return readFileSync(FILE, 'utf8')
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
