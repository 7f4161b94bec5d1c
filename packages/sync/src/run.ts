import type { SyncSummary } from './errors.ts'
import type { SyncSettings } from './options.ts'
import type { ReaderContext } from './round/reader.ts'
import type { Tables } from './store/tables.ts'
import type { Activity } from './watch/activity.ts'

/** Counts of one call of `once()` or `run()`. */
export interface Run {
  context: ReaderContext
  activity: Activity
  /** Whether `run()` has found the forms that it follows. */
  follows: boolean
  /** The form whose progress was reported, and not its end. */
  reading: { formId: string; total: number } | undefined
  forms: Set<string>
  /** `response_count` of each form, or the total of its last list. */
  totals: Map<string, number>
  hasChanges(): boolean
  summary(): SyncSummary
}

/**
 * Starts the counts of a call.
 *
 * @param prepare creates or checks the tables, and returns those of the key's workspace
 */
export function startRun<Transaction>(
  settings: SyncSettings<Transaction>,
  prepare: (signal: AbortSignal | undefined) => Promise<Tables<Transaction>>,
  activity: Activity,
): Run {
  const { formwire, clock, signal, per_page: perPage } = settings
  const { onChanges, onProgress, onFormLost } = settings
  const startedAt = clock.now()
  const sentBefore = formwire.budget.sent
  const counts = { inserted: 0, updated: 0, deleted: 0 }
  const forms = new Set<string>()
  const totals = new Map<string, number>()
  let tables: Tables<Transaction> | undefined
  const run: Run = {
    activity,
    follows: false,
    reading: undefined,
    forms,
    totals,
    hasChanges: () => counts.inserted + counts.updated + counts.deleted > 0,
    summary: () => ({
      forms: forms.size,
      ...counts,
      requests: formwire.budget.sent - sentBefore,
      duration_ms: Math.max(0, Math.round(clock.now() - startedAt)),
    }),
    context: {
      formwire,
      get tables() {
        if (!tables) throw new TypeError('The tables are used before prepare().')
        return tables
      },
      perPage,
      prepare: async () => {
        tables = await prepare(signal)
      },
      now: () => clock.now(),
      signal,
      onChanges: (changes) => {
        activity.wrote(changes)
        for (const { kind } of changes) counts[kind] += 1
        if (changes.length > 0) onChanges?.(changes)
      },
      onProgress(formId, read) {
        const total = Math.max(read, totals.get(formId) ?? read)
        run.reading = { formId, total }
        if (read < total) onProgress?.({ formId, read, total })
      },
      onTotal: (formId, total) => void totals.set(formId, total),
      onFormLost: (formId) => {
        if (run.follows) onFormLost?.(formId)
      },
    },
  }
  return run
}
