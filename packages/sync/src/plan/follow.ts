import type { Formwire } from '@formwire/sdk'

/** Every how many rounds slow work is done: drafts, lost forms, and forms that had no turn. */
export const SLOW_ROUNDS = 10

/** Forms that have their turn between two slow rounds whatever the rate budget leaves: each in 100 slow rounds, and at least so many. */
const LEAST_TURNS = 10
const MAX_SLOW_ROUNDS = 100

/** How many forms have their turn between two slow rounds at least. */
export const leastTurns = (forms: number): number => Math.max(LEAST_TURNS, Math.ceil(forms / MAX_SLOW_ROUNDS))

/** Requests that forms may take whose counts did not move: half of the rate budget is left for what did. */
export const roomOf = ({ remaining, perMinute }: Formwire['budget']): number =>
  Number.isFinite(perMinute) ? Math.max(0, remaining - perMinute / 2) : remaining

/** What the tables remember of a form, whichever process has read it. */
export interface FormMemory {
  /** Whether its count moved since it was read, or it is to be read whatever its count is. */
  isMoved: boolean
  /** When it was last read, in milliseconds since the epoch, and when its drafts were too. */
  turn: number
  swept: number
}

/**
 * Decides which forms a round reads: those whose counts moved, and then the others, least recently read first, since a count may stay equal
 * while responses come and go.
 */
export function planRound<Known extends FormMemory>(
  forms: readonly Known[],
  { by = 'turn' }: { by?: 'turn' | 'swept' } = {},
): { moved: Known[]; others: Known[] } {
  return {
    moved: forms.filter(({ isMoved }) => isMoved),
    others: forms.filter(({ isMoved }) => !isMoved).sort((a, b) => a[by] - b[by]),
  }
}
