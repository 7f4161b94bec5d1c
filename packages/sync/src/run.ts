import type { SyncSummary } from './errors.ts'
import type { SyncSettings } from './options.ts'
import type { ReaderContext } from './round/reader.ts'
import type { Tables } from './store/tables.ts'
import type { Activity } from './watch/activity.ts'

/** Counts of one call of `once()` or `run()`. */
export type Run = ReturnType<typeof startRun>

/**
 * Starts the counts of a call.
 *
 * @param prepare creates or checks the tables, and returns those of the key's workspace
 */
export function startRun<Transaction>(
  settings: SyncSettings<Transaction>,
  prepare: (signal: AbortSignal | undefined) => Promise<Tables<Transaction>>,
  activity: Activity,
) {
  const { formwire, clock, signal, per_page: perPage } = settings
  const { onChanges, onProgress, onFormLost } = settings
  const startedAt = clock.now()
  const sentBefore = formwire.budget.sent
  const counts = { inserted: 0, updated: 0, deleted: 0 }
  const state = {
    /** Whether `run()` has found the forms that it follows. */
    follows: false,
    /** The form whose progress was reported, and not its end. */
    reading: undefined as { formId: string; total: number } | undefined,
    forms: new Set<string>(),
    /** `response_count` of each form, or the total of its last list. */
    totals: new Map<string, number>(),
  }
  let tables: Tables<Transaction> | undefined
  const context: ReaderContext = {
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
      const total = Math.max(read, state.totals.get(formId) ?? read)
      state.reading = { formId, total }
      if (read < total) onProgress?.({ formId, read, total })
    },
    onTotal: (formId, total) => void state.totals.set(formId, total),
    onFormLost: (formId) => {
      if (state.follows) onFormLost?.(formId)
    },
  }
  return Object.assign(state, {
    activity,
    context,
    hasChanges: () => counts.inserted + counts.updated + counts.deleted > 0,
    summary: (): SyncSummary => ({
      forms: state.forms.size,
      ...counts,
      requests: formwire.budget.sent - sentBefore,
      duration_ms: Math.max(0, Math.round(clock.now() - startedAt)),
    }),
  })
}
