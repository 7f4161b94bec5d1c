import { open, rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { FormResponse } from '@formwire/contract'
import type { Context } from '../context.ts'
import { fileFailure, withPath } from '../failure.ts'
import { JsonLines } from '../files/json-lines.ts'
import { prepareOutput } from '../files/output-file.ts'
import { createPart, holdPart, partPath, resumeRows } from '../files/part-file.ts'
import type { Output } from '../output/output.ts'
import { grouped, Progress } from '../output/progress.ts'
import { QuestionColumns } from './columns.ts'
import type { ExportRequest } from './export-options.ts'
import { csvWriter, type ExportWriter, jsonWriter, stdoutCsvWriter } from './formats.ts'
import { areDrafts, openSource, PER_PAGE } from './source.ts'

/** By which spreadsheets recognize UTF-8 when they open a file at once. */
const BYTE_ORDER_MARK = '\ufeff'

/** Exports to stdout. Returns the number of responses. */
export async function exportToStdout(context: Context, what: ExportRequest): Promise<number> {
  const { output } = context
  const source = await openSource(context, what)
  const progress = progressOf(context, source.total)
  context.onExit(() => progress.end())
  const writer =
    what.format === 'csv'
      ? await stdoutCsvWriter(source, areDrafts(what) ? 'newest' : 'oldest')
      : jsonWriter(output, what.format === 'json')
  const write = pipeWriter(output)
  await write((what.bom ? BYTE_ORDER_MARK : '') + writer.begin())
  let count = 0
  for await (const response of source.read(counting(progress))) {
    await write(writer.row(response))
    count += 1
  }
  await write(writer.end())
  progress.end()
  const remark = writer.remark?.()
  if (remark !== undefined) output.announce('other_answers', remark)
  return count
}

function progressOf(context: Context, total: number, count = 0): Progress {
  const progress = new Progress(context, 'responses', total, count)
  progress.printLines()
  progress.show()
  return progress
}

/** Returns a function that takes how many responses this run has read, and updates the progress after each hundred. */
function counting(progress: Progress): (read: number) => void {
  const before = progress.count
  return (read) => {
    const shown = Math.floor(progress.count / PER_PAGE)
    progress.count = Math.max(progress.count, before + read)
    if (Math.floor(progress.count / PER_PAGE) > shown) progress.show()
  }
}

/** Milliseconds after its first line in which a reader such as `head -1` closes the pipe. */
const FIRST_LINE_MS = 20

/**
 * Returns a function that writes to stdout, on a pipe with a pause after the first line: a closed pipe shows only when more is
 * written, which would be after the next pages.
 */
function pipeWriter(output: Output): (text: string) => Promise<void> {
  let isFirst = !output.isTerminal
  return async (text) => {
    let start = 0
    if (isFirst && text.includes('\n')) {
      isFirst = false
      start = text.indexOf('\n') + 1
      await output.write(text.slice(0, start))
      await setTimeout(FIRST_LINE_MS)
    }
    await output.write(text.slice(start))
  }
}

/**
 * Exports to a file, which is written once all responses are read. Returns their number, those of an earlier run included. An
 * interrupted NDJSON export leaves them in FILE.part, others leave nothing.
 * @param isResumed whether an earlier run is to be continued, if there is one
 */
export async function exportToFile(
  context: Context,
  what: ExportRequest,
  path: string,
  isResumed: boolean,
): Promise<number> {
  const { output, runtime } = context
  const file = await prepareOutput(path)
  const canResume = what.format === 'ndjson' && !areDrafts(what)
  const hold = canResume ? await holdPart(path, runtime.stop) : undefined
  context.onExit(() => hold?.release())
  const resumed = isResumed ? await resumeRows(path, what.formId) : undefined
  // Fails on a wrong form before a file is created.
  const { total, read } = await openSource(context, what, resumed?.progress).catch(async (error: unknown) => {
    await resumed?.rows.close()
    throw error
  })
  const part = canResume ? partPath(path) : `${path}.rows.${runtime.randomId()}`
  const rows =
    resumed?.rows ??
    (canResume
      ? new JsonLines<FormResponse>(
          await createPart(path, { work: 'export', over: 'delete it', now: runtime.clock.now() }),
        )
      : await createHiddenRows(path, part))
  let count = resumed?.progress.count ?? 0
  const progress = progressOf(context, total, count)
  const remove = async (): Promise<void> => {
    progress.end()
    await rows.close()
    await rm(part, { force: true })
  }
  const keep = async (): Promise<void> => {
    if (count === 0 || !canResume) {
      await remove()
      if (runtime.stop.aborted) output.note('interrupted: nothing was saved', 'calm')
      return
    }
    progress.end()
    await rows.flush()
    await rows.close()
    const unsaved = progress.count - count
    const others = unsaved > 0 ? `, which reads the other ${grouped(unsaved)} again` : ''
    output.announce(
      'kept',
      `${grouped(count)} response${count === 1 ? ' is' : 's are'} kept in ${part}; continue with --resume${others}`,
      { count },
    )
  }
  const cancelKeep = context.onExit(keep)
  try {
    for await (const response of read(counting(progress))) {
      runtime.stop.throwIfAborted()
      hold?.lost.throwIfAborted()
      await rows.add(response).catch((error: unknown) => Promise.reject(withPath(error, path)))
      count += 1
    }
  } catch (error) {
    // Another run with --resume would not find what is out of order.
    if ((error as Error).name === 'PaginationError') {
      cancelKeep()
      await remove()
    }
    throw error
  }
  runtime.stop.throwIfAborted()
  const columns = new QuestionColumns()
  if (what.format === 'csv') for await (const response of responsesOf(rows)) columns.add(response)
  const writer = what.format === 'csv' ? csvWriter(columns) : jsonWriter(output, what.format === 'json')
  await file.write(textsOf(responsesOf(rows), writer, what.bom ? BYTE_ORDER_MARK : ''))
  cancelKeep()
  await remove()
  if (file.exists) output.note(`replaced ${path}`, 'good')
  return count
}

/** Creates a file of rows that nobody else sees: on POSIX, not even a killed export leaves it. @throws Failure exit 2 */
async function createHiddenRows(path: string, temporary: string): Promise<JsonLines<FormResponse>> {
  const file = await open(temporary, 'ax+', 0o600).catch((error: unknown) => {
    throw fileFailure(`write ${path}`, error)
  })
  // Windows refuses this for an open file.
  await rm(temporary).catch(() => undefined)
  return new JsonLines(file)
}

async function* responsesOf(rows: JsonLines<FormResponse>): AsyncGenerator<FormResponse> {
  for await (const { item } of rows.items()) yield item
}

/** Returns the text of a file of responses. */
async function* textsOf(
  responses: AsyncIterable<FormResponse>,
  writer: ExportWriter,
  mark: string,
): AsyncGenerator<string> {
  yield mark + writer.begin()
  for await (const response of responses) yield writer.row(response)
  yield writer.end()
}
