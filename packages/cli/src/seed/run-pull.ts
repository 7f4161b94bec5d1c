import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { Failure, usage } from '../failure.ts'
import { prepareOutput } from '../types/output-file.ts'
import { PullFile, type PullScope } from './pull-file.ts'
import { type PullFlags, readPullFlags } from './pull-options.ts'
import { announceRaw, failForMissing, reportPull, runPulling } from './pulling.ts'

/** A parsed `formwire seed pull`. */
export interface PullRequest {
  forms: readonly string[] | 'all'
  /** File to replace. @default stdout */
  out: string | undefined
  resume: boolean
  flags: PullFlags
}

/** Pulls a workspace into a seed file, or to stdout. */
export async function runPull(context: Context, { forms, out, resume, flags }: PullRequest): Promise<void> {
  const { output, runtime } = context
  const options = await readPullFlags(context, flags, out)
  const isPrivate = options.scrub === false
  const [file, report] = await Promise.all([
    out === undefined ? undefined : prepareOutput(out, runtime.randomId, isPrivate),
    flags.report === undefined ? undefined : prepareOutput(flags.report, runtime.randomId),
  ])
  // Fails before a file is created.
  const { baseUrl } = context.credentials()
  const scope: PullScope = {
    base_url: baseUrl,
    forms: forms === 'all' ? 'all' : [...forms],
    since: flags.since ?? null,
    ...Object.fromEntries(SCOPE.map((name) => [name, options[name] ?? null])),
  }
  const resumed = resume && out !== undefined ? await PullFile.resume(out, scope, options.key) : undefined
  if (resume && !resumed) output.note('there is no unfinished pull to resume; starting from the beginning')
  const target = out ?? join(tmpdir(), `formwire-pull-${runtime.randomId()}`)
  const store = resumed ?? (await PullFile.create(target, scope, options))
  if (out === undefined) await store.hide()
  const cancelKeep = context.onExit(async () => {
    if (out === undefined) return await store.remove()
    if (!store.hasResponses && !runtime.stop.aborted) {
      await store.remove()
      return output.note('nothing was read')
    }
    await store.keep()
    output.announce('kept', `what was read is kept in ${store.path}; continue with --resume`)
  })
  const finished = await runPulling(context, { ...options, ...store.settings, forms }, store).catch(
    async (error) => {
      if (!(error instanceof Failure) || Object(error.cause).code !== 'pull_option') throw error
      if (out !== undefined && store.hasResponses)
        throw new Failure(error.message, { ...error, cause: error, hint: UNKNOWN_QUESTION_HINT })
      cancelKeep()
      await store.remove()
      throw error
    },
  )
  runtime.stop.throwIfAborted()
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

const UNKNOWN_QUESTION_HINT =
  'to continue with --resume, remove the unknown --keep, and correct or remove the unknown --replace; to keep another question, delete the .part file and start again'

const SCOPE = ['limit', 'drafts', 'endpoints', 'scrub', 'keep', 'replace', 'shiftMs'] as const

/** Returns the forms of the command line. @throws Failure exit 2 */
export function chosenForms(given: readonly string[] = [], all = false): readonly string[] | 'all' {
  if (all && given.length > 0) throw usage('--all cannot be combined with form ids', 'remove one of them')
  if (all) return 'all'
  if (given.length === 0) throw usage('missing form id', 'name one or more forms, or use --all')
  if (given.includes('')) throw usage('form id must not be empty')
  return given
}
