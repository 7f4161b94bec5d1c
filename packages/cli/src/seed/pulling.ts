import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nearestName } from '@formwire/internal/nearest-name'
import type { Pulled, PullOptions, PullStore } from '@formwire/reference-server/pull'
import { formsNamed } from '../command.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure, fileFailure, notFound } from '../failure.ts'
import { type OutputFile, prepareOutput } from '../files/output-file.ts'
import { holdPart, partPath } from '../files/part-file.ts'
import { countOf, Progress } from '../output/progress.ts'
import { PullFile, type PullScope } from './pull-file.ts'
import { readPullFlags, type SeedPullFlags } from './pull-options.ts'

/** A pull, and what it cost. */
export interface FinishedPull {
  pulled: Pulled
  requests: number
}

/** Pulls with the client and the progress of a command. @throws Failure; the error of the client */
export async function runPulling(
  context: Context,
  options: Omit<PullOptions, 'baseUrl'>,
  store?: PullStore,
  rate?: number,
): Promise<FinishedPull> {
  let requests = 0
  context.onRequest = () => {
    requests += 1
  }
  const { baseUrl } = context.credentials()
  const client = await context.longClient(rate)
  const { pullWorkspace, PullError } = await import('@formwire/reference-server/pull')
  // Begun by the first report, so that what an earlier run has read counts for no pace.
  let progress: Progress | undefined
  const cancelEnd = context.onExit(() => progress?.end())
  try {
    const pulled = await pullWorkspace(
      client,
      {
        ...options,
        baseUrl,
        nameOfOption: (option) => FLAGS[option],
        onProgress({ read, total }) {
          options.onProgress?.({ read, total })
          if (progress === undefined) {
            progress = new Progress(context, 'responses', total, read)
            progress.printLines()
          }
          progress.total = total
          progress.show(read)
        },
      },
      store,
    )
    return { pulled, requests }
  } catch (error) {
    if (!(error instanceof PullError)) throw error
    if (error.code === 'pull_option')
      throw new Failure(error.message, { exitCode: EXIT.usage, code: 'usage', cause: error })
    throw new Failure(error.message, {
      exitCode:
        error.code === 'no_forms' ? (options.forms === 'all' ? EXIT.usage : EXIT.notFound) : EXIT.failed,
      code: error.code,
      hint: error.code === 'no_forms' ? 'see formwire forms list' : undefined,
    })
  } finally {
    progress?.end()
    cancelEnd()
  }
}

/** The options as the command line has them. */
const FLAGS = { keep: '--keep', replace: '--replace', shiftMs: '--shift' } as const

/** Writes what was done with the questions to the file of `--report`, and prints it on stderr. Returns it. */
export async function reportPull(
  { output }: Context,
  { pulled, requests }: FinishedPull,
  file: OutputFile | undefined,
): Promise<Pulled['report'] & { requests: number }> {
  const report = { ...pulled.report, requests }
  await file?.write(`${JSON.stringify(report, null, 2)}\n`)
  const { forms, scrubbed } = report
  for (const { id, title, responses, questions, unknown } of forms) {
    const counted = countOf(responses, 'response')
    if (questions.length === 0)
      output.note(`form ${id} "${title}": ${counted}, no questions: no response shows any`)
    else output.note(`form ${id} "${title}": ${counted}`)
    if (scrubbed) {
      for (const { id: question, type, action, drawn, values } of questions)
        output.note(
          `  ${(drawn ? 'drawn' : action).padEnd(8)} ${question} (${type}, ${countOf(values, 'answer')})`,
        )
    }
    for (const { id: what, why, values } of unknown) {
      const nearest = nearestName(
        what,
        questions.map((question) => question.id),
      )
      const meant = why === 'unanswered' && nearest !== undefined ? `; did you mean ${nearest}?` : ''
      output.note(`  ${WHY[why]}: ${what} (${values}${meant})`)
    }
  }
  output.note(countOf(requests, 'request'))
  return report
}

const WHY = {
  unknown_type: 'unknown question type',
  type_changed: 'left out answers of an older type',
  unexpected_value: 'left out answers whose value does not fit their type',
  unexpected_member: 'left out a member that is not documented',
  unusable_id: 'left out a question whose id a form cannot have',
  unusable_choice: 'left out options, rows or columns that a question cannot have',
  too_many: 'left out a question beyond those of a form',
  changed: 'changed to a value that a seed can have',
  unanswered: 'no response answers the question to keep or replace',
} as const

/** Announces a copy with personal data. @param what it is called */
export function announceRaw({ output }: Context, { pulled }: FinishedPull, what: string): void {
  if (pulled.report.scrubbed) return
  const count = pulled.report.forms.reduce((sum, { responses }) => sum + responses, 0)
  const text = `${what} contains personal data: every answer, email address and file name of ${countOf(count, 'response')}, as they are`
  output.announce('not_scrubbed', text, { responses: count })
}

/** @throws Failure exit 3 for forms that were not found, after the others were pulled */
export function failForMissing({ pulled: { missing } }: FinishedPull, consequence: string): void {
  if (missing.length === 0) return
  throw notFound(`${formsNamed(missing)} not found`, `${consequence}; see formwire forms list`)
}

/** Pulls a workspace into a seed file, or to stdout. */
export async function runPull(
  context: Context,
  forms: readonly string[] | 'all',
  flags: SeedPullFlags,
): Promise<void> {
  const { resume, restart, rate } = flags
  const out = flags.out === '-' ? undefined : flags.out
  const { output, runtime } = context
  const options = await readPullFlags(context, flags, out)
  const isPrivate = options.scrub === false
  const [file, report] = await Promise.all([
    out === undefined ? undefined : prepareOutput(out, isPrivate),
    flags.report === undefined ? undefined : prepareOutput(flags.report),
  ])
  // Fails before a file is created.
  const { baseUrl } = context.credentials()
  const scope: PullScope = {
    base_url: baseUrl,
    forms: forms === 'all' ? 'all' : [...forms],
    since: flags.since ?? null,
    ...Object.fromEntries(SCOPE.map((name) => [name, options[name] ?? null])),
  }
  const hold = out === undefined ? undefined : await holdPart(out, runtime.stop)
  context.onExit(() => hold?.release())
  if (restart && out !== undefined)
    await rm(partPath(out), { force: true }).catch((error: unknown) => {
      throw fileFailure(`write ${out}`, error)
    })
  const resumed = resume && out !== undefined ? await PullFile.resume(out, scope, options.key) : undefined
  if (resume && !resumed) output.note('there is no unfinished pull to resume; starting from the beginning')
  const target = out ?? join(tmpdir(), `formwire-pull-${runtime.randomId()}`)
  const store = resumed ?? (await PullFile.create(target, scope, options, runtime.clock.now()))
  if (out === undefined) await store.hide()
  const cancelKeep = context.onExit(async () => {
    if (out === undefined) return await store.remove()
    if (!store.hasResponses && !runtime.stop.aborted && !hold?.lost.aborted) {
      await store.remove()
      return output.note('nothing was read')
    }
    await store.keep()
    output.announce('kept', `what was read is kept in ${store.path}; continue with --resume`)
  })
  const signal = hold ? AbortSignal.any([runtime.stop, hold.lost]) : runtime.stop
  const pulling = runPulling(context, { ...options, ...store.settings, forms, signal }, store, rate)
  const finished = await pulling.catch(async (error: unknown) => {
    // Another run with --resume would not find what is out of order.
    if ((error as Error).name === 'PaginationError') {
      cancelKeep()
      await store.remove()
    }
    throw error
  })
  signal.throwIfAborted()
  const { pulled } = finished
  if (file) await file.write(pulled.json())
  else for await (const text of pulled.json()) await output.write(text)
  cancelKeep()
  await store.remove()
  const written = await reportPull(context, finished, report)
  if (out !== undefined && output.json) await output.document(written)
  announceRaw(context, finished, out ?? 'the seed')
  if (out !== undefined) output.note(`wrote ${out}`)
  failForMissing(finished, 'the other forms were pulled')
}

const SCOPE = ['limit', 'drafts', 'endpoints', 'scrub', 'keep', 'replace', 'shiftMs'] as const
