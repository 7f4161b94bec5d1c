import type { FetchResponses } from './backlog.ts'

/** Nothing that the service still has is as old as the checkpoint. */
export interface Gap {
  /** Newest instant of the checkpoint, as the service wrote it. */
  since: string
  /** Oldest `submitted_at` that the service still has, or `null` when it has none. Everything between may have been missed. */
  oldest: string | null
}

/**
 * Asks whether the service still has a response older than the checkpoint. Called when none of the checkpoint's own responses
 * came back: a single one may have been deleted, which is no gap.
 */
export async function findGap(since: string, fetch: FetchResponses): Promise<Gap | undefined> {
  const all = await fetch(undefined, 1)
  const newer = await fetch(since, 1)
  if (all.meta.total > newer.meta.total) return undefined
  const lastPage = Math.max(1, Math.ceil(all.meta.total / all.meta.per_page))
  const last = lastPage === 1 ? all : await fetch(undefined, lastPage)
  return { since, oldest: last.data.at(-1)?.submitted_at ?? null }
}
