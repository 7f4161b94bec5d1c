import type { FormResponse, PageMeta } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { Progress } from '../files/part-file.ts'
import type { ExportRequest } from './export-options.ts'

/** Responses per page of the API. */
export const PER_PAGE = 100

/** Whether drafts are exported. They are listed newest first, and change their places when they are saved again. */
export const areDrafts = ({ status }: Pick<ExportRequest, 'status'>): boolean => status === 'in_progress'

/** One page of the list of responses. */
export interface ResponsePage {
  data: readonly FormResponse[]
  meta: PageMeta
}

/** The responses of an export, once the form is known to exist. */
export interface ResponseSource {
  /** Responses of the whole export. */
  total: number
  /** Returns the pages that are read before the first response, by number. */
  pages(): Promise<ReadonlyMap<number, ResponsePage>>
  /** Reads another page of the same list. */
  page(number: number, perPage: number): PromiseLike<ResponsePage>
  /**
   * Yields the responses that are left, one by one.
   * @param onRead called with the number of responses that are read, those of a block that are not yielded yet included
   */
  read(onRead: (count: number) => void): AsyncGenerator<FormResponse>
}

/**
 * Opens the responses of an export, or those that an earlier run has left.
 * @throws NotFoundError, and others of the API, before anything is written
 */
export async function openSource(
  context: Context,
  what: ExportRequest,
  { count, state }: Progress = { count: 0, state: undefined },
): Promise<ResponseSource> {
  const { formId, since, status, limit = Number.POSITIVE_INFINITY, rate } = what
  const client = await context.longClient(rate)
  const { stop: signal } = context.runtime
  const pages = new Map<number, ResponsePage>()
  let isOpen = false
  let read = 0
  let ahead = 0
  let hasYielded = false
  let onPage = (): void => undefined
  const walk = client.responses.walk(formId, {
    ...(areDrafts(what) ? { order: 'newest', until: since } : { order: 'oldest', from: state ?? since }),
    status,
    signal,
    onPage(page) {
      // All that was read before a response is yielded before another page is read. The first page of a long list is read again.
      if (hasYielded) ahead = 0
      if (pages.size > 0) ahead += page.data.length
      hasYielded = false
      if (!isOpen) pages.set(page.meta.page, page)
      onPage()
    },
  })
  const first = walk.next().finally(() => {
    isOpen = true
  })
  // What fails after the first page is thrown where the first response is read.
  await new Promise<unknown>((resolve, reject) => {
    onPage = () => resolve(undefined)
    first.then(resolve, reject)
  })
  const left = (pages.values().next().value?.meta.total ?? 0) - (state?.ids.length ?? 0)
  return {
    total: Math.min(limit, count + Math.max(0, left)),
    pages: async () => {
      await first
      return pages
    },
    page: (page, per_page) => client.responses.list(formId, { status, since, page, per_page }, { signal }),
    async *read(onRead) {
      onPage = () => onRead(read + ahead)
      while (read < limit - count) {
        const { done, value } = await (read === 0 ? first : walk.next())
        if (done) return
        read += 1
        ahead = Math.max(0, ahead - 1)
        hasYielded = true
        onRead(read + ahead)
        yield value.response
      }
    },
  }
}
