import { existsSync } from 'node:fs'
import type { FormResponse, KnownResponseStatus } from '@formwire/contract'
import type { Formwire, PollState } from '@formwire/sdk'
import type { Context } from '../context.ts'
import { columnsOf, csvWriter, type ExportFormat, type ExportWriter, jsonWriter } from './formats.ts'
import { type ExportScope, PartFile, type Progress } from './part-file.ts'
import { ExportProgress, grouped } from './progress.ts'
import { SAMPLE_SIZE, sampleQuestions } from './question-sample.ts'
import { Spool } from './spool.ts'

/** What to export, and how. */
export interface Export {
  formId: string
  format: ExportFormat
  order: 'oldest' | 'newest'
  /** `--since` as given. */
  sinceText?: string | undefined
  since?: string | undefined
  status?: KnownResponseStatus | undefined
}

/** Exports to stdout. Returns the number of responses. */
export async function exportToStdout(context: Context, what: Export): Promise<number> {
  const { output } = context
  const { client, total } = await begin(context, what)
  const progress = new ExportProgress(output, context.runtime, total, 0)
  const responses = counted(source(context, client, what, undefined), progress)
  context.onExit(() => progress.end())
  const write = async (items: AsyncIterable<FormResponse>, writer: ExportWriter): Promise<void> => {
    await output.write(writer.begin())
    for await (const response of items) await output.write(writer.row(response))
    // A poll ends without an error when it is stopped.
    context.runtime.stop.throwIfAborted()
    await output.write(writer.end())
  }
  if (what.format !== 'csv') await write(responses, jsonWriter(output, what.format === 'json'))
  else if (total > SAMPLE_SIZE) await writeSampledCsv(context, client, what, total, responses, write)
  else {
    const spool = await Spool.create<FormResponse>()
    context.onExit(() => spool.close())
    for await (const response of responses) await spool.add(response)
    await write(spool.items(), await csvWriter(await columnsOf(spool.items()), false))
  }
  progress.end()
  return progress.count
}

/** Writes rows as they come, below a header with the questions of a sample. */
async function writeSampledCsv(
  context: Context,
  client: Formwire,
  what: Export,
  total: number,
  responses: AsyncIterable<FormResponse>,
  write: (items: AsyncIterable<FormResponse>, writer: ExportWriter) => Promise<void>,
): Promise<void> {
  const columns = await sampleQuestions(client, what.formId, queryOf(what), total)
  let others = 0
  async function* noted(): AsyncGenerator<FormResponse> {
    for await (const response of responses) {
      others += response.answers.filter(({ question_id: id }) => !columns.has(id)).length
      yield response
    }
  }
  await write(noted(), await csvWriter(columns, true))
  if (others > 0) {
    context.output.announce(
      'other_answers',
      `${grouped(others)} answers are in the column other_answers; with --output FILE every question has its own`,
    )
  }
}

/** Exports to a file. Returns the number of responses, those of an earlier run included. */
export async function exportToFile(
  context: Context,
  what: Export,
  path: string,
  isResumed: boolean,
): Promise<number> {
  const { output, runtime } = context
  const scope: ExportScope = {
    form_id: what.formId,
    since_text: what.sinceText ?? null,
    since: what.since ?? null,
    status: what.status ?? null,
    order: what.order,
  }
  const resumed = isResumed ? await PartFile.resume(path, scope) : undefined
  const since = resumed ? (resumed.since ?? undefined) : what.since
  // Fails on a wrong form before a file is created.
  const { client, total } = await begin(context, { ...what, since })
  const part = resumed?.part ?? (await PartFile.create(path, scope))
  const earlier: Progress = resumed?.progress ?? { count: 0, state: undefined }
  const progress = new ExportProgress(output, runtime, Math.max(0, total - earlier.count), earlier.count)
  const keep = async (): Promise<void> => {
    progress.end()
    await part.flush()
    await part.close()
    output.announce(
      'kept',
      `${grouped(progress.count)} responses are kept in ${part.path}${what.order === 'oldest' ? '; continue with --resume' : ''}`,
      { count: progress.count },
    )
  }
  const cancelKeep = context.onExit(keep)
  for await (const response of source(context, client, { ...what, since }, earlier.state)) {
    await part.add(response)
    progress.add()
  }
  runtime.stop.throwIfAborted()
  const writer =
    what.format === 'csv'
      ? await csvWriter(await columnsOf(part.items()), false)
      : jsonWriter(output, what.format === 'json')
  const { writeFileOf } = await import('./to-file.ts')
  const replaces = existsSync(path)
  await writeFileOf(path, `${path}.${runtime.randomId()}`, part.items(), writer)
  cancelKeep()
  progress.end()
  await part.remove()
  if (replaces) output.note(`replaced ${path}`)
  return progress.count
}

/** Returns the client and the number of responses. Fails on a wrong form or parameter before anything is written. */
async function begin(context: Context, what: Export): Promise<{ client: Formwire; total: number }> {
  const page = await (await context.client()).responses.list(what.formId, { ...queryOf(what), per_page: 1 })
  return { client: await context.longClient(), total: page.meta.total }
}

function queryOf({ since, status }: Export): { since?: string; status?: KnownResponseStatus } {
  return { ...(since === undefined ? {} : { since }), ...(status === undefined ? {} : { status }) }
}

/** Returns every response once: oldest first in blocks, or newest first page by page. `state` continues an earlier run. */
function source(
  { runtime }: Context,
  client: Formwire,
  what: Export,
  state: PollState | undefined,
): AsyncIterable<FormResponse> {
  const { formId, order, since } = what
  if (order === 'newest') return client.responses.list(formId, { ...queryOf(what), per_page: 100 })
  return client.responses.poll(formId, {
    since,
    once: true,
    signal: runtime.stop,
    checkpoint: { load: () => state, save: () => undefined },
  })
}

async function* counted(
  responses: AsyncIterable<FormResponse>,
  progress: ExportProgress,
): AsyncGenerator<FormResponse> {
  for await (const response of responses) {
    yield response
    progress.add()
  }
}
