import type { FormResponse } from '@formwire/contract'
import { fetchOrPastEnd, type WalkedPage } from '../pagination/page-walk.ts'
import { type FetchResponses, pagesOf } from './backlog.ts'
import { compareInstants, type Instant, parseInstant } from './instant.ts'

/** Every response that the service still has is newer than the checkpoint. */
export interface Gap {
  /** Newest instant of the checkpoint, in the spelling of the service. */
  since: string
  /** Oldest `submitted_at` that the service still has, or `null` if it has no responses. Responses in between may be lost. */
  oldest: string | null
}

/**
 * Returns the gap between the checkpoint and the oldest response of the service, if there is one. Called only if no response of the
 * checkpoint was listed again, which also happens when a single response was deleted.
 */
export async function findGap(since: string, fetch: FetchResponses): Promise<Gap | undefined> {
  const fetchPage = (page: number): Promise<WalkedPage<FormResponse>> => fetch(undefined, page)
  let last = await fetchPage(1)
  // Limited, because the list may change meanwhile or ignore `page`.
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
