import { invalid } from '../domain/service-error.ts'
import type { Unspecified } from '../unspecified.ts'
import type { PageRequest } from './parameters.ts'

/** Throws 422 for a page past the end of a list if the server is configured to; page 1 is never past it (ENV-06). */
export function refusePastEnd(unspecified: Unspecified, { page, from }: PageRequest, total: number): void {
  if (unspecified.pagePastEnd === '422' && page > 1 && from >= total) {
    throw invalid('page', `page ${page} is past the end of the list.`)
  }
}
