import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { fileFailure, usage } from '../failure.ts'
import { prepareOutput } from '../files/output-file.ts'
import { holdPart, partPath } from '../files/part-file.ts'
import { PullFile, type PullScope } from './pull-file.ts'
import { type PullFlags, readPullFlags } from './pull-options.ts'
import { announceRaw, failForMissing, reportPull, runPulling } from './pulling.ts'

/** A parsed `formwire seed pull`. */
export interface PullRequest {
  forms: readonly string[] | 'all'
  /** File to replace. @default stdout */
  out: string | undefined
  resume: boolean
  /** Throws away what an earlier run has left. */
  restart: boolean
  /** Requests a minute, 0 for any number. */
  rate: number | undefined
  flags: PullFlags
}

/** Pulls a workspace into a seed file, or to stdout. */
export async function runPull(context: Context, request: PullRequest): Promise<void> {
  const { forms, out, resume, restart, rate, flags } = request
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

/** Returns the forms of the command line. @throws Failure exit 2 */
export function chosenForms(given: readonly string[] = [], all = false): readonly string[] | 'all' {
  if (all && given.length > 0) throw usage('--all cannot be combined with form ids', 'remove one of them')
  if (all) return 'all'
  if (given.length === 0) throw usage('missing form id', 'name one or more forms, or use --all')
  if (given.includes('')) throw usage('form id must not be empty')
  return given
}
