import { isObjectOrArray } from '@formwire/internal/json'
import { CheckpointError } from '../errors/client-errors.ts'
import type { PollState } from '../polling/checkpoint.ts'

/** Parses a stored state. `place` names it in the error. @throws CheckpointError if it is not a JSON object. */
export function parseState(text: string, place: string): PollState {
  try {
    const state: unknown = JSON.parse(text)
    if (isObjectOrArray(state)) return state as PollState
  } catch {
    // Reported below.
  }
  throw new CheckpointError(
    `The checkpoint ${place} is not a JSON object; remove it to start over from "since".`,
  )
}
