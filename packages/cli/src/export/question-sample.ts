import type { FormResponse } from '@formwire/contract'
import { QuestionColumns } from './columns.ts'
import { isPastEnd, pagesOf, type ResponseList, type ResponsePage } from './oldest-first.ts'

/** Pages that are read for the header, spread over all of them. */
const PAGES = 10
/** Responses up to which all of them are read. */
const SAMPLE_SIZE = 1_000

/** The questions for the header of a CSV that is written while responses are read. */
export interface Header {
  columns: QuestionColumns
  /** Whether there may be answers to other questions. */
  isSample: boolean
}

/**
 * Returns the questions of the responses from the newest or the oldest on, in the order of the form. Of more than 1,000 responses
 * a sample is read, since the API does not list the questions of a form. The pages are requested at the same time.
 *
 * @param newest the first page: 1, or with the order newest first that at which the CSV begins
 * @param count responses that the CSV has at most
 */
export async function questionsFor(
  list: (page: number) => ResponseList,
  newest: ResponsePage,
  { order, count }: { order: 'oldest' | 'newest'; count: number },
): Promise<Header> {
  const pages = pagesOf(newest)
  const { page: start, per_page: perPage } = newest.meta
  if (start === pages || (order === 'newest' && count <= newest.data.length)) {
    const rows = order === 'newest' ? newest.data.slice(0, count) : newest.data.slice(-count)
    return { columns: columnsIn(rows), isSample: false }
  }
  // The last page has fewer responses than the others.
  const span = Math.min(pages - start + 1, Math.ceil(count / perPage) + (order === 'oldest' ? 1 : 0))
  const isSample = count > SAMPLE_SIZE
  const [from, to] = order === 'oldest' ? [pages - span + 1, pages] : [start, start + span - 1]
  const read = await Promise.all(
    spread(from, to, isSample ? PAGES : span).map(async (page): Promise<readonly FormResponse[]> => {
      if (page === start) return newest.data
      const { data } = await Promise.resolve(list(page)).catch((error: unknown) => {
        if (isPastEnd(error, page)) return { data: [] }
        throw error
      })
      return data
    }),
  )
  return { columns: columnsIn(read.flat()), isSample }
}

/** Returns the questions of responses that are newest first. */
function columnsIn(responses: readonly FormResponse[]): QuestionColumns {
  const columns = new QuestionColumns()
  for (const response of responses.toReversed()) columns.add(response)
  return columns
}

/** Returns at most `count` different integers from `from` to `to`, evenly spread, in ascending order. */
function spread(from: number, to: number, count: number): number[] {
  const numbers = Array.from({ length: count }, (_, at) =>
    Math.round(from + ((to - from) * at) / Math.max(1, count - 1)),
  )
  return [...new Set(numbers)]
}
