import { CSV_FACTS, CSV_OTHER_ANSWERS, type FormResponse, type KnownResponseStatus } from '@formwire/contract'
import { csvLine } from '@formwire/internal/csv'
import { MetaColumns, uniqueNames } from '@formwire/internal/csv-columns'
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
 * Yields all responses of a form as they are now, newest first, without holding them in memory. CSV has a column per question and per member of meta,
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
  const meta = new MetaColumns()
  for await (const page of pages(form, responses, status))
    for (const json of page)
      if (!json.includes('"meta":{}')) meta.add((JSON.parse(json) as FormResponse).meta)
  const fixed = [...CSV_FACTS, CSV_OTHER_ANSWERS]
  const ofMeta = uniqueNames(meta.all, fixed)
  const names = uniqueNames(questions, [...fixed, ...ofMeta])
  yield Buffer.from(csvLine([...CSV_FACTS, ...names, ...ofMeta, CSV_OTHER_ANSWERS]))
  for await (const page of pages(form, responses, status)) {
    const rows = page.map((json) => responseRow(JSON.parse(json) as FormResponse, questions, meta))
    yield Buffer.from(rows.join(''))
  }
}

/** Returns the published questions, and those of the builder that are not published. */
function questionsOf({ publication, questions }: FormRecord): Question[] {
  const published = publication?.questions ?? []
  const ids = new Set(published.map(({ id }) => id))
  return [...published, ...questions.filter(({ id }) => !ids.has(id))]
}

function responseRow(response: FormResponse, questions: readonly Question[], meta: MetaColumns): string {
  const answers = new Map(response.answers.map((answer) => [answer.question_id, answer]))
  const cells = questions.map(({ id }) => {
    const answer = answers.get(id)
    answers.delete(id)
    return typeof answer?.value === 'number' ? answer.value : answer?.text
  })
  const ofMeta = meta.split(response.meta)
  const others = [...answers.values(), ...ofMeta.others].map(({ title, text }) => `${title}: ${text}`)
  return csvLine([...CSV_FACTS.map((name) => response[name]), ...cells, ...ofMeta.cells, others.join('\n')])
}

async function* pages({ id }: FormRecord, responses: ResponsesTable, status: KnownResponseStatus) {
  for (let from = 0; ; from += PER_CHUNK) {
    const { items } = responses.list(id, status, undefined, from, PER_CHUNK)
    if (items.length === 0) return
    yield items.map(({ json }) => json)
    await nextTurn()
  }
}
