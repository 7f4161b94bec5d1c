import type { FormResponse } from '@formwire/contract'
import { QuestionColumns } from './columns.ts'
import { collectedCsvWriter, csvWriter, type ExportWriter } from './formats.ts'
import type { ResponsePage, ResponseSource } from './source.ts'

/** Responses up to which a CSV is written once all of them have been read: its header has the questions of all. */
const COLLECTED = 1_000
/** Pages that are read for the header of a longer CSV, spread over all of them. */
const SAMPLED_PAGES = 10

/** What a CSV on stdout is made of. */
type CsvSource = Pick<ResponseSource, 'total' | 'pages' | 'page'>

/**
 * Returns the writer of a CSV on stdout: a short one is written at its end, a longer one with the questions of a sample, since the
 * API does not list the questions of a form.
 */
export async function stdoutCsvWriter(source: CsvSource, order: 'oldest' | 'newest'): Promise<ExportWriter> {
  if (source.total <= COLLECTED) return await collectedCsvWriter(order)
  return await csvWriter(await sampledQuestions(source, order), true)
}

/** Returns the questions of ten pages, in the order of the form. The pages are requested at the same time. */
async function sampledQuestions(
  { page, pages: readPages, total: count }: CsvSource,
  order: 'oldest' | 'newest',
): Promise<QuestionColumns> {
  const known = await readPages()
  const [first] = known.values()
  const { page: start, total, per_page: perPage } = (first as ResponsePage).meta
  const pages = Math.ceil(total / perPage)
  // The last page has fewer responses than the others.
  const span = Math.min(pages - start + 1, Math.ceil(count / perPage) + (order === 'oldest' ? 1 : 0))
  const [from, to] = order === 'oldest' ? [pages - span + 1, pages] : [start, start + span - 1]
  const read = await Promise.all(
    spread(from, to, SAMPLED_PAGES).map(async (number): Promise<readonly FormResponse[]> => {
      const found = known.get(number)
      if (found?.meta.per_page === perPage) return found.data
      const { data } = await Promise.resolve(page(number, perPage)).catch((error: unknown) => {
        const { name, status } = error as { name?: unknown; status?: unknown }
        // Past the end, or longer than the others.
        if (status === 422 || name === 'ResponseTooLargeError') return { data: [] }
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
