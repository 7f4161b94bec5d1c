import type { FormResponse } from '@formwire/contract'
import type { PollState } from '@formwire/sdk'
import { isPastEnd, type ListFrom, type ResponseList } from './oldest-first.ts'
import { instantOf, Position } from './position.ts'

/** Responses per page of the API. */
export const PER_PAGE = 100

/** Where an earlier run has stopped. */
export interface Stop {
  /** Responses that it has exported. */
  count: number
  state: PollState
}

/** Where to begin. */
interface Start {
  since: string | undefined
  /** The list from page 1. */
  newest: ResponseList
  /** Undefined for a first run. */
  stop: Stop | undefined
  /** Whether the responses are drafts, which change their places when they are saved again. */
  areDrafts: boolean
}

/**
 * Yields every response once, newest first, page by page. Responses that arrive meanwhile are left out, since they would be out of
 * order; so are those that have arrived since an earlier run.
 *
 * @param onRead called for each response
 */
export async function* newestFirst(
  list: ListFrom,
  { since, newest, stop, areDrafts }: Start,
  onRead: () => void,
): AsyncGenerator<FormResponse[]> {
  const { responses } = stop ? await older(list, since, stop) : { responses: newest }
  const position = new Position(stop?.state)
  let page: FormResponse[] = []
  for await (const response of responses) {
    if (!areDrafts && !isNext(response, position)) continue
    onRead()
    page.push(response)
    if (page.length < PER_PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** Whether the response is not newer than the last one, which it then becomes. */
function isNext(response: FormResponse, position: Position): boolean {
  const instant = instantOf(response)
  if (position.instant !== '' && instant > position.instant) return false
  if (position.has(response.id, instant)) return false
  position.add(response.id, instant)
  return true
}

/** Returns the list from a page that begins before the responses that are left, inside an object, since it is thenable. */
async function older(
  list: ListFrom,
  since: string | undefined,
  { count, state }: Stop,
): Promise<{ responses: ResponseList }> {
  const { instant } = new Position(state)
  let page = Math.ceil(count / PER_PAGE)
  for (let step = 1; page > 1; step *= 2) {
    const responses = list(since, page)
    const first = await Promise.resolve(responses).catch((error: unknown) => {
      if (!isPastEnd(error, page)) throw error
    })
    const [row] = first?.data ?? []
    if (row && instantOf(row) > instant) return { responses }
    page -= step
  }
  return { responses: list(since, 1) }
}
