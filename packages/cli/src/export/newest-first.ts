import type { FormResponse } from '@formwire/contract'
import { newestFirst as walk } from '@formwire/internal/newest-first'
import type { PollState } from '@formwire/sdk'
import type { ListFrom, ResponseList } from './oldest-first.ts'
import { instantOf, positionOf } from './position.ts'

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
 * Yields every response once, newest first, page by page, as the walk of `internal` does.
 *
 * @param onRead called for each response
 */
export function newestFirst(
  list: ListFrom,
  { stop, ...start }: Start,
  onRead: () => void,
): AsyncGenerator<FormResponse[]> {
  const from = stop && { count: stop.count, position: positionOf(stop.state) }
  return walk(list, { ...start, stop: from, instantOf }, onRead)
}
