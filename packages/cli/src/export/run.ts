import { createWriteStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import type { FormResponse } from '@formwire/contract'
import { PER_PAGE } from '@formwire/internal/newest-first'
import { replaceFile } from '@formwire/internal/replace-file'
import { UnansweredColumns } from '../columns/unanswered.ts'
import type { Context } from '../context.ts'
import { Failure } from '../failure.ts'
import type { Output } from '../output/output.ts'
import { grouped, Progress } from '../output/progress.ts'
import { columnsOf, csvWriter, type ExportWriter, jsonWriter } from './formats.ts'
import { type ExportScope, PartFile } from './part-file.ts'
import { type ExportRequest, openSource } from './source.ts'
import { isCollected, stdoutCsvWriter } from './stdout-csv.ts'

/** Exports to stdout. Returns the number of responses. */
export async function exportToStdout(context: Context, what: ExportRequest): Promise<number> {
  const { output } = context
  const { ahead, newest, total, read, requireAll } = await openSource(context, what)
  const progress = progressOf(context, total)
  context.onExit(() => progress.end())
  const writer =
    what.format === 'csv'
      ? await stdoutCsvWriter(ahead, newest, { order: what.order, count: total })
      : jsonWriter(output, what.format === 'json')
  const isWhole = what.format === 'csv' && isCollected(total)
  const unanswered = new UnansweredColumns(output.fields)
  const write = pipeWriter(output)
  await write(writer.begin())
  let count = 0
  for await (const page of read(countOne(progress), isWhole)) {
    for (const response of page) unanswered.add(response)
    await write(page.map((response) => writer.row(response)).join(''))
    count += page.length
    progress.show()
  }
  await write(writer.end())
  progress.end()
  const remark = writer.remark?.()
  if (remark !== undefined) output.announce('other_answers', remark)
  unanswered.report(output)
  await requireAll()
  return count
}

function progressOf(context: Context, total: number, count = 0): Progress {
  const progress = new Progress(context, 'responses', total, count)
  progress.printLines()
  progress.show()
  return progress
}

/** Returns a function that counts a response that was read, and updates the progress after each page. */
function countOne(progress: Progress): () => void {
  return () => {
    progress.count += 1
    if (progress.count % PER_PAGE === 0) progress.show()
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
 * Exports to a file. Returns the number of responses, those of an earlier run included.
 * @param isResumed whether an earlier run is to be continued, if there is one
 */
export async function exportToFile(
  context: Context,
  what: ExportRequest,
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
    limit: what.limit ?? null,
  }
  const resumed = isResumed ? await PartFile.resume(path, scope) : undefined
  const since = resumed ? (resumed.since ?? undefined) : what.since
  // Fails on a wrong form before a file is created.
  const { total, read, requireAll } = await openSource(context, { ...what, since }, resumed?.progress)
  const part = resumed?.part ?? (await PartFile.create(path, scope))
  let count = resumed?.progress.count ?? 0
  const progress = progressOf(context, total, count)
  const keep = async (): Promise<void> => {
    progress.end()
    if (count === 0) {
      if (runtime.stop.aborted) output.note('interrupted before the first response was saved', 'calm')
      return await part.remove()
    }
    await part.flush()
    await part.close()
    const unsaved = progress.count - count
    const others = unsaved > 0 ? `, which reads the other ${grouped(unsaved)} again` : ''
    output.announce(
      'kept',
      `${grouped(count)} response${count === 1 ? ' is' : 's are'} kept in ${part.path}${what.status === 'in_progress' ? '' : `; continue with --resume${others}`}`,
      { count },
    )
  }
  const cancelKeep = context.onExit(keep)
  for await (const page of read(countOne(progress))) {
    for (const response of page) {
      runtime.stop.throwIfAborted()
      await part.add(response)
      count += 1
    }
    progress.show()
  }
  runtime.stop.throwIfAborted()
  await requireAll().catch(async (error: unknown) => {
    // Another run with --resume would not find them.
    if (error instanceof Failure) {
      cancelKeep()
      progress.end()
      await part.remove()
    }
    throw error
  })
  const writer =
    what.format === 'csv'
      ? await csvWriter(await columnsOf(part.items()))
      : jsonWriter(output, what.format === 'json')
  const replaces = existsSync(path)
  await writeFileOf(path, `${path}.${runtime.randomId()}`, part.items(), writer)
  cancelKeep()
  progress.end()
  await part.remove()
  if (replaces) output.note(`replaced ${path}`, 'good')
  return count
}

/** Writes the responses to a file atomically: it is complete, or not there. */
async function writeFileOf(
  path: string,
  temporary: string,
  responses: AsyncIterable<FormResponse>,
  writer: ExportWriter,
): Promise<void> {
  async function* texts(): AsyncGenerator<string> {
    yield writer.begin()
    for await (const response of responses) yield writer.row(response)
    yield writer.end()
  }
  try {
    await pipeline(Readable.from(texts()), createWriteStream(temporary, { flags: 'wx' }))
    await replaceFile(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
