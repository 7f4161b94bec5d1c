import type { FormResponse } from '@formwire/contract'
import { fetchOrPastEnd, type WalkedPage } from '../page-walk.ts'
import { type FetchResponses, pagesOf } from './backlog.ts'
import { compareInstants, type Instant, parseInstant } from './instant.ts'

/** Nothing that the service still has is as old as the checkpoint. */
export interface Gap {
  /** Newest instant of the checkpoint, as the service wrote it. */
  since: string
  /** Oldest `submitted_at` that the service still has, or `null` when it has none. Everything between may have been missed. */
  oldest: string | null
}

/**
 * Asks for the oldest response that the service still has. Called when none of the checkpoint's own responses came back: a
 * single one may have been deleted, which is no gap.
 */
export async function findGap(since: string, fetch: FetchResponses): Promise<Gap | undefined> {
  const fetchPage = (page: number): Promise<WalkedPage<FormResponse>> => fetch(undefined, page)
  let last = await fetchPage(1)
  // The list may grow or shrink on the way to its end; one that ignores `page` has none.
  for (let tries = 0; tries < 5 && last.meta.page !== pagesOf(last); tries += 1) {
    last = await fetchOrPastEnd(fetchPage, pagesOf(last))
  }
  const oldest = last.data.at(-1)?.submitted_at ?? null
  const gone =
    oldest === null
      ? last.meta.total === 0
      : compareInstants(parseInstant(oldest) as Instant, parseInstant(since) as Instant) > 0
  return gone ? { since, oldest } : undefined
}
