import type { Formwire, ResponseListParams } from '@formwire/sdk'
import { QuestionColumns } from './columns.ts'

const PER_PAGE = 100
/** Pages that are read for the header, spread over all of them. */
const PAGES = 10
/** Responses up to which the sample would be all of them. */
export const SAMPLE_SIZE = PAGES * PER_PAGE

/**
 * Returns the questions of a sample of the responses, oldest first, for the header of a CSV that is written while responses are
 * read. The API does not list the questions of a form.
 */
export async function sampleQuestions(
  client: Formwire,
  formId: string,
  query: ResponseListParams,
  total: number,
): Promise<QuestionColumns> {
  const columns = new QuestionColumns()
  const last = Math.max(1, Math.ceil(total / PER_PAGE))
  const numbers = new Set(
    Array.from({ length: PAGES }, (_, n) => 1 + Math.round(((last - 1) * n) / (PAGES - 1))),
  )
  for (const page of [...numbers].sort((one, other) => other - one)) {
    const { data } = await client.responses.list(formId, { ...query, page, per_page: PER_PAGE })
    for (const response of data.toReversed()) columns.add(response)
  }
  return columns
}
