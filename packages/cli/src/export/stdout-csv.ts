import type { FormResponse } from '@formwire/contract'
import { isPastEnd } from '@formwire/internal/newest-first'
import { QuestionColumns } from './columns.ts'
import { collectedCsvWriter, csvWriter, type ExportWriter } from './formats.ts'
import { pagesOf, type ResponseList, type ResponsePage } from './oldest-first.ts'

/** Responses up to which a CSV is written once all of them have been read: its header has the questions of all. */
const COLLECTED = 1_000
/** Pages that are read for the header of a longer CSV, spread over all of them. */
const SAMPLED_PAGES = 10

/** What a CSV on stdout has. */
interface StdoutCsv {
  order: 'oldest' | 'newest'
  /** Responses at most. */
  count: number
}

/** Whether a CSV of so many responses is written once all of them have been read. */
export const isCollected = (count: number): boolean => count <= COLLECTED

/**
 * Returns the writer of a CSV on stdout: a short one is written at its end, a longer one with the questions of a sample, since the
 * API does not list the questions of a form.
 *
 * @param newest the first page: 1, or with the order newest first that at which the CSV begins
 */
export async function stdoutCsvWriter(
  list: (page: number) => ResponseList,
  newest: ResponsePage,
  csv: StdoutCsv,
): Promise<ExportWriter> {
  if (isCollected(csv.count)) return await collectedCsvWriter(csv.order)
  return await csvWriter(await sampledQuestions(list, newest, csv), true)
}

/** Returns the questions of ten pages, in the order of the form. The pages are requested at the same time. */
async function sampledQuestions(
  list: (page: number) => ResponseList,
  newest: ResponsePage,
  { order, count }: StdoutCsv,
): Promise<QuestionColumns> {
  const pages = pagesOf(newest)
  const { page: start, per_page: perPage } = newest.meta
  // The last page has fewer responses than the others.
  const span = Math.min(pages - start + 1, Math.ceil(count / perPage) + (order === 'oldest' ? 1 : 0))
  const [from, to] = order === 'oldest' ? [pages - span + 1, pages] : [start, start + span - 1]
  const read = await Promise.all(
    spread(from, to, SAMPLED_PAGES).map(async (page): Promise<readonly FormResponse[]> => {
      if (page === start) return newest.data
      const { data } = await Promise.resolve(list(page)).catch((error: unknown) => {
        if (isPastEnd(error, page)) return { data: [] }
        throw error
      })
      return data
    }),
  )
  const columns = new QuestionColumns()
  for (const response of read.flat().toReversed()) columns.add(response)
  return columns
}

/** Returns at most `count` different integers from `from` to `to`, evenly spread, in ascending order. */
function spread(from: number, to: number, count: number): number[] {
  const numbers = Array.from({ length: count }, (_, at) =>
    Math.round(from + ((to - from) * at) / Math.max(1, count - 1)),
  )
  return [...new Set(numbers)]
}
