import { isConnectionError, isRateLimitError } from '@formwire/sdk'
import {
  createSync,
  type FullView,
  type RowChange,
  readSyncStatus,
  type SyncPause,
  type SyncSummary,
} from '@formwire/sync'
import { formsNamed } from '../command.ts'
import type { Context } from '../context.ts'
import type { ExitCode } from '../exit.ts'
import { notFound } from '../failure.ts'
import type { DatabaseTarget } from '../input/database-target.ts'
import { countOf, grouped, Progress } from '../output/progress.ts'
import { safeLine } from '../output/text-safety.ts'
import { spanText, utcTime } from '../output/time.ts'
import { OutageReport } from '../polling/outage-report.ts'
import { asClause, reasonOf } from '../service-message.ts'
import type { MetricsAddress } from './metrics-server.ts'
import { databaseFailure, openStore } from './store.ts'
import type { SyncFlags } from './sync-options.ts'

/**
 * Retries of one call: a few seconds. Rate limits are waited out as often as necessary, and so are outages while following; a
 * lasting one ends `--once` soon.
 */
const RETRIES = 3

/** Milliseconds for the transaction in progress after Ctrl-C. */
const GRACE_MS = 1000

/** Runs a synchronization and prints its changes and its summary. @param metrics where to serve metrics and health checks */
export async function runSync(
  context: Context,
  forms: readonly string[] | 'all',
  target: DatabaseTarget,
  { once, verify, deletions, deleted, drafts, interval }: SyncFlags,
  metrics: MetricsAddress | undefined,
): Promise<ExitCode | undefined> {
  const { output, runtime } = context
  // Other failures may be those of a single form, which are reported as such.
  if (!once) context.connection = new OutageReport(output, isConnectionError)
  const formwire = await context.longClient(0, RETRIES)
  const store = await openStore(target)
  const stop = new AbortController()
  const signal = AbortSignal.any([runtime.stop, stop.signal])
  // A terminal can rewrite one line, in place of a line per change.
  const state = !once && output.isTerminal && output.showsProgress ? new FollowingState(context) : undefined
  const repairs = once && verify ? new Repairs() : undefined
  let reading: { formId: string; progress: Progress } | undefined
  /** What was done before an error. */
  let done: SyncSummary | undefined
  const sync = createSync({
    formwire,
    store,
    ...{ forms, deletions, deleted, drafts, intervalMs: interval },
    ...(runtime.clientClock && { clock: runtime.clientClock }),
    signal,
    // Those of the first round included.
    onChanges: once
      ? (changes) => repairs?.add(changes)
      : (changes) => (state ? state.add(changes) : printChanges(context, changes)),
    onUpToDate: (summary) => state?.upToDate(summary),
    onProgress({ formId, read, total }) {
      if (reading?.formId !== formId)
        reading = { formId, progress: new Progress(context, 'responses', total) }
      state?.pause(read < total)
      if (read < total) reading.progress.show(read, formId)
      else if (!state) output.clearProgress()
    },
    onViewFull: (view) => reportFullView(context, view),
    onPause: (pause) => reportPause(context, pause),
    onFormLost(formId) {
      const text = `form ${formId} was trashed or is no longer accessible; its rows stay, and it will be retried`
      output.announce('form_lost', text, { form_id: formId })
    },
    onFormFailed: (failure) => reportFailedForm(context, failure),
    onFormRecovered: (formId) => reportRecoveredForm(context, { formId }),
    onFailure: (summary) => {
      done = summary
    },
  })
  if (metrics) {
    const { serveMetrics } = await import('./metrics-server.ts')
    const workspaces = () => {
      const status = sync.status()
      const { workspace_id } = status
      // There are tables once the workspace is known.
      const forms = async () =>
        workspace_id === null
          ? []
          : (await readSyncStatus(store)).forms.filter((form) => form.workspace_id === workspace_id)
      return [{ workspace: workspace_id ?? 'unknown', status, forms }]
    }
    await serveMetrics(context, { workspaces, ping: () => store.read('SELECT 1 AS one') }, metrics)
  }
  if (!once) output.note('following changes (Ctrl-C to stop)', 'wait')
  const over = new AbortController()
  showWaits(context, over.signal).catch(() => undefined)
  const running = (once ? sync.once({ verify }) : sync.run({ verify })).finally(() => {
    over.abort()
    output.clearProgress()
  })
  // A stopped command does not wait for its action: the summary and the end of the transaction are awaited here.
  const printed = running.then(
    async (summary) => {
      // After the ^C that the terminal shows, which a status line would erase.
      if (output.isTerminal && !output.json && !state && runtime.stop.aborted) await output.line('')
      await printSummary(context, summary, repairs)
    },
    async (error: unknown) => {
      // Some forms are unknown, and the others were synchronized; or following ended after some changes.
      const { summary = once ? undefined : done } = Object(error) as { summary?: SyncSummary }
      if (summary && hasResult(summary)) await printSummary(context, summary, repairs)
      throw asFailure(error)
    },
  )
  context.onExit(async () => {
    stop.abort()
    // Closing ends the wait for a lock of another program, too.
    const timer = setTimeout(() => void store.close(), GRACE_MS)
    await printed.catch(() => undefined)
    clearTimeout(timer)
    await store.close()
  })
  await printed
  return undefined
}

const FORM_IN_URL = /\/forms\/([^/?]+)/

/** Shows on the status line which form is waited for, once the service has not responded for a second, and for how long. */
async function showWaits({ output, runtime: { clock, stop }, inFlight }: Context, over: AbortSignal) {
  const ended = AbortSignal.any([stop, over])
  let [slow, seconds] = ['', 0]
  while (output.showsProgress && !ended.aborted) {
    await clock.sleep(1000, ended)
    const [url = ''] = inFlight
    if (seconds > 0 && url !== slow) output.waiting('')
    seconds = url !== '' && url === slow ? seconds + 1 : 0
    slow = url
    const [, form] = FORM_IN_URL.exec(url) ?? []
    if (seconds > 0) output.waiting(`waiting for ${form ? `form ${form}` : 'the forms'} (${seconds} s)`)
  }
}

/** A form of a synchronization, or of a workspace of a fleet. */
interface NamedForm {
  formId: string
  workspace?: string
}

const nameOf = ({ formId, workspace }: NamedForm): string =>
  `form ${formId}${workspace === undefined ? '' : ` of ${workspace}`}`

export function reportFailedForm({ output }: Context, form: NamedForm & { error: unknown }): void {
  const text = `${nameOf(form)} cannot be read: ${asClause(reasonOf(form.error))}; retrying; other forms continue`
  output.announce('form_failed', text, { workspace: form.workspace, form_id: form.formId })
}

export function reportRecoveredForm({ output }: Context, form: NamedForm): void {
  const facts = { workspace: form.workspace, form_id: form.formId }
  output.announce('form_recovered', `${nameOf(form)} can be read again`, facts)
}

/** Ids that are named of the rows of one form with the same change. */
const NAMED_IDS = 10

const KINDS = ['inserted', 'updated', 'deleted'] as const

/** What a synchronization found to differ from the service, and repaired. */
class Repairs {
  readonly #forms = new Map<string, Map<RowChange['kind'], { count: number; ids: number[] }>>()

  add(changes: readonly RowChange[]): void {
    for (const { kind, formId, id } of changes) {
      const form = this.#forms.get(formId) ?? new Map()
      this.#forms.set(formId, form)
      const rows = form.get(kind) ?? { count: 0, ids: [] }
      form.set(kind, rows)
      rows.count += 1
      if (rows.ids.length < NAMED_IDS) rows.ids.push(id)
    }
  }

  /** Returns one line for each form that differed. */
  lines(): string[] {
    return [...this.#forms].map(([formId, kinds]) => {
      const parts = KINDS.flatMap((kind) => {
        const { count = 0, ids = [] } = kinds.get(kind) ?? {}
        const named = `${ids.join(', ')}${count > ids.length ? ', …' : ''}`
        return count === 0 ? [] : [`${grouped(count)} ${kind} (${named})`]
      })
      return safeLine(`${formId}: ${parts.join(', ')}`)
    })
  }
}

/** The status line while forms are followed: what has changed, and when the database was last up to date. */
class FollowingState {
  readonly #context: Context
  readonly #counts = { inserted: 0, updated: 0, deleted: 0 }
  #upToDate = ''
  /** Whether the progress of a form is shown instead. */
  #isPaused = false

  constructor(context: Context) {
    this.#context = context
  }

  add(changes: readonly RowChange[]): void {
    for (const { kind } of changes) this.#counts[kind] += 1
    this.#show()
  }

  /** Leaves the status line to the progress of a form, or takes it back. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#show()
  }

  upToDate({ forms }: SyncSummary): void {
    const { output, runtime } = this.#context
    if (this.#upToDate === '')
      output.note(`up to date: ${countOf(forms, 'form')}, ${changesText(this.#counts)}`, 'good')
    this.#upToDate = `up to date at ${utcTime(new Date(runtime.clock.now()).toISOString())}`
    this.#show()
  }

  #show(): void {
    const { output } = this.#context
    if (!this.#isPaused) output.progress(`${this.#upToDate || 'reading'} · ${changesText(this.#counts)}`)
  }
}

const changesText = ({
  inserted,
  updated,
  deleted,
}: Pick<SyncSummary, 'inserted' | 'updated' | 'deleted'>): string =>
  `${grouped(inserted)} inserted, ${grouped(updated)} updated, ${grouped(deleted)} deleted`

/** Prints one line per change. @param workspace of a fleet */
export function printChanges({ output }: Context, changes: readonly RowChange[], workspace?: string): void {
  const lines = changes.map(({ kind, formId, id, status }) =>
    output.json
      ? `${JSON.stringify({ event: kind, workspace, form_id: formId, id, status })}\n`
      : `${kind}\t${workspace === undefined ? '' : `${workspace}\t`}${formId}\t${id}\t${status}\n`,
  )
  // The reader may close the pipe, which stops the command by itself.
  void output.write(lines.join('')).catch(() => undefined)
}

const hasResult = ({ forms, inserted, updated, deleted }: SyncSummary): boolean =>
  forms + inserted + updated + deleted > 0

async function printSummary({ output }: Context, summary: SyncSummary, repairs?: Repairs): Promise<void> {
  if (output.json) return await output.record(summary)
  for (const line of repairs?.lines() ?? []) await output.line(line)
  const { forms, requests, duration_ms } = summary
  await output.line(
    `${countOf(forms, 'form')}: ${changesText(summary)} (${countOf(requests, 'request')}, ${spanText(duration_ms)})`,
  )
}

/** Reports an outage once, and each wait for a rate limit. @throws the rate limit with `--no-wait` */
function reportPause({ output, global, connection }: Context, { error, attempt, waitMs }: SyncPause): void {
  if (global.wait === false && isRateLimitError(error)) throw error
  if (attempt > 1 && (error as Error).name === 'StoreError') return
  if (connection && !isRateLimitError(error) && (error as Error).name !== 'StoreError') {
    connection.lost(reasonOf(error))
    return
  }
  output.announce('paused', `${reasonOf(error)}; retrying in ${spanText(waitMs)}`, {
    wait_seconds: Math.ceil(waitMs / 1000),
  })
}

/** Questions that are named of those that a view leaves out. */
const NAMED = 10

/** Says what the view of a form leaves out. */
export function reportFullView({ output }: Context, { formId, answersView, leftOut }: FullView): void {
  const named = leftOut.slice(0, NAMED).join(', ')
  const which = leftOut.length > NAMED ? `${named} and ${grouped(leftOut.length - NAMED)} more` : named
  output.announce(
    'view_full',
    `the view of form ${formId} shows 1,000 questions and leaves out ${which}; ${answersView} has every answer`,
    { form_id: formId },
  )
}

/** Returns the failure for unknown forms, or an error of the database. */
function asFailure(error: unknown): unknown {
  const { formIds } = Object(error) as { formIds?: readonly string[] }
  if (!formIds) return databaseFailure(error)
  const hint = 'check the id and the workspace of the key: see formwire forms list'
  return notFound(`${formsNamed(formIds)} not found`, hint, { status: 404, cause: error })
}
