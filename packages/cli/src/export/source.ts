import type { FormResponse, KnownResponseStatus } from '@formwire/contract'
import { PER_PAGE } from '@formwire/internal/newest-first'
import type { Formwire } from '@formwire/sdk'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import { countOf } from '../output/progress.ts'
import type { ExportFormat } from './formats.ts'
import { newestFirst } from './newest-first.ts'
import { type ListFrom, oldestFirst, type ResponseList, type ResponsePage } from './oldest-first.ts'
import type { Progress } from './part-file.ts'
import { instantOf } from './position.ts'

/** What to export, and how. */
export interface ExportRequest {
  formId: string
  format: ExportFormat
  order: 'oldest' | 'newest'
  /** `--since` as given. */
  sinceText?: string | undefined
  since?: string | undefined
  status?: KnownResponseStatus | undefined
  /** Responses at most. */
  limit?: number | undefined
}

/** The responses of an export, once the form is known to exist. */
export interface ResponseSource {
  /** Page 1 of the responses that are left. */
  newest: ResponsePage
  /** Lists the responses that are left from a page on, for a look ahead. `read` does not request these pages again. */
  ahead(page: number): ResponseList
  /** Responses of the whole export. */
  total: number
  /**
   * Yields the responses that are left, page by page or block by block.
   * @param isWhole whether nothing is written before the last one, so that oldest first needs one block. @default false
   */
  read(onRead: () => void, isWhole?: boolean): AsyncGenerator<FormResponse[]>
  /** @throws Failure once all are read if the list has others: it is not newest first (RESP-01), which the walks rely on */
  requireAll(): Promise<void>
}

/**
 * Opens the responses of an export, or those that an earlier run has left.
 * @throws NotFoundError, and others of the API, before anything is written
 */
export async function openSource(
  context: Context,
  { formId, order, since, status, limit = Number.POSITIVE_INFINITY }: ExportRequest,
  { count, state }: Progress = { count: 0, state: undefined },
): Promise<ResponseSource> {
  const client = await context.longClient()
  const areDrafts = status === 'in_progress'
  const list = listOf(client, formId, status, context.runtime.stop)
  // An earlier run has everything before its position.
  const from = order === 'oldest' ? (state?.since ?? since) : since
  const responses = list(from, 1)
  const newest = await responses
  const looked = new Map<number, ResponseList>()
  const listOnce: ListFrom = (since, page) => {
    const found = since === from ? looked.get(page) : undefined
    // Only the page at which an export begins is the same one later.
    looked.clear()
    return found ?? list(since, page)
  }
  const left = order === 'oldest' ? newest.meta.total - (state?.ids.length ?? 0) : newest.meta.total - count
  const total = Math.min(limit, count + Math.max(0, left))
  let exported = count
  let top: readonly FormResponse[] = []
  return {
    newest,
    ahead(page) {
      const responses = list(from, page)
      looked.set(page, responses)
      return responses
    },
    total,
    async *read(onRead, isWhole = false) {
      // The last page has fewer responses than the others.
      const span = isWhole ? Math.ceil((total - count) / PER_PAGE) + 1 : 1
      const pages =
        order === 'oldest'
          ? oldestFirst(listOnce, { since, state, newest: responses, span }, onRead)
          : newestFirst(
              list,
              { since, newest: responses, stop: state && { count, state }, areDrafts },
              onRead,
            )
      let wanted = limit - count
      if (wanted <= 0) return
      for await (const page of pages) {
        if (order === 'oldest' || top.length === 0) top = page
        yield page.slice(0, wanted)
        exported += page.length
        wanted -= page.length
        if (wanted <= 0) return
      }
    },
    async requireAll() {
      // Drafts move, and an earlier run has what was at the top.
      if (exported >= total || areDrafts || (order === 'newest' && state)) return
      const { data, meta } = await list(since, 1)
      const ids = new Set(top.map(({ id }) => id))
      const last = top.map(instantOf).sort().at(-1) ?? ''
      // Some may have been deleted, and others have arrived, which are first.
      const arrived = data.findIndex((response) => ids.has(response.id) || instantOf(response) < last)
      const lacking = meta.total - arrived - exported
      if (arrived < 0 || lacking <= 0) return
      const lacks = countOf(lacking, 'response')
      throw new Failure(
        `form ${formId} does not list its responses newest first: the export lacks ${lacks}`,
        {
          exitCode: EXIT.failed,
          code: 'invalid_response',
          hint: 'export again if responses were imported meanwhile; otherwise report it to the service',
        },
      )
    },
  }
}

function listOf(
  client: Formwire,
  formId: string,
  status: KnownResponseStatus | undefined,
  signal: AbortSignal,
): ListFrom {
  return (since, page): ResponseList =>
    client.responses.list(
      formId,
      {
        ...(since === undefined ? {} : { since }),
        ...(status === undefined ? {} : { status }),
        page,
        per_page: PER_PAGE,
      },
      { signal },
    )
}
