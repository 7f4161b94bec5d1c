import type { FormResponse } from '@formwire/contract'
import { Position, sortableInstant } from '@formwire/internal/newest-first'
import type { PollState } from '@formwire/sdk'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'

/** Returns a text of the instant that sorts in order of time, up to nanoseconds. @throws Failure if it is not a date */
export function instantOf({ id, submitted_at: text }: Pick<FormResponse, 'id' | 'submitted_at'>): string {
  const instant = sortableInstant(text)
  if (instant !== undefined) return instant
  throw new Failure(`response ${id} has no valid submitted_at, got "${text}"`, {
    exitCode: EXIT.failed,
    code: 'invalid_response',
  })
}

/** Returns the position after an earlier run. */
export function positionOf(state: PollState | undefined): Position {
  if (!state) return new Position()
  return new Position(instantOf({ id: state.ids[0] ?? 0, submitted_at: state.since }), state.ids)
}
