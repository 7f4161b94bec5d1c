import { CSV_FACTS, CSV_OTHER_ANSWERS, type FormResponse, type KnownResponseStatus } from '@formwire/contract'
import type { FormRecord } from '../domain/form.ts'
import type { Question } from '../domain/question/index.ts'
import { nextTurn } from '../real-timers.ts'
import type { ResponsesTable } from '../store/responses.ts'
import type { State } from '../store/state.ts'

export const EXPORT_FORMATS = ['csv', 'json'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Responses per chunk; other requests get a turn after each. */
const PER_CHUNK = 100

/**
 * Yields all responses of a form as they are now, newest first, without holding them in memory. CSV has a column per question,
 * and numbers and texts as a spreadsheet expects them; JSON has responses as the API shows them.
 */
export function exportResponses(
  state: State,
  form: FormRecord,
  format: ExportFormat,
  status: KnownResponseStatus,
): AsyncGenerator<Uint8Array> {
  // A fork costs nothing, and does not change while it is written.
  const responses = state.responses.fork()
  return format === 'csv' ? csvChunks(form, responses, status) : jsonChunks(form, responses, status)
}

async function* jsonChunks(form: FormRecord, responses: ResponsesTable, status: KnownResponseStatus) {
  let before = '[\n'
  for await (const page of pages(form, responses, status)) {
    yield Buffer.from(before + page.join(',\n'))
    before = ',\n'
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n')
}

async function* csvChunks(form: FormRecord, responses: ResponsesTable, status: KnownResponseStatus) {
  const questions = questionsOf(form)
  // A byte order mark, without which Excel reads UTF-8 as another encoding.
  yield Buffer.from(`\ufeff${row([...CSV_FACTS, ...questions.map(({ title }) => title), CSV_OTHER_ANSWERS])}`)
  for await (const page of pages(form, responses, status)) {
    yield Buffer.from(page.map((json) => responseRow(JSON.parse(json) as FormResponse, questions)).join(''))
  }
}

/** Returns the published questions, and those of the builder that are not published. */
function questionsOf({ publication, questions }: FormRecord): Question[] {
  const published = publication?.questions ?? []
  const ids = new Set(published.map(({ id }) => id))
  return [...published, ...questions.filter(({ id }) => !ids.has(id))]
}

function responseRow(response: FormResponse, questions: readonly Question[]): string {
  const answers = new Map(response.answers.map((answer) => [answer.question_id, answer]))
  const cells = questions.map(({ id }) => {
    const answer = answers.get(id)
    answers.delete(id)
    return typeof answer?.value === 'number' ? answer.value : answer?.text
  })
  const others = Array.from(answers.values(), ({ title, text }) => `${title}: ${text}`).join('\n')
  return row([...CSV_FACTS.map((name) => response[name]), ...cells, others])
}

/** Returns a line of CSV (RFC 4180). */
const row = (cells: readonly (string | number | null | undefined)[]): string =>
  `${cells.map(cell).join(',')}\r\n`

function cell(value: string | number | null | undefined): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet would run text that starts like this. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

async function* pages({ id }: FormRecord, responses: ResponsesTable, status: KnownResponseStatus) {
  for (let from = 0; ; from += PER_CHUNK) {
    const { items } = responses.list(id, status, undefined, from, PER_CHUNK)
    if (items.length === 0) return
    yield items.map(({ json }) => json)
    await nextTurn()
  }
}
