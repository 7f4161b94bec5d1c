import type { FormResponse } from '@formwire/contract'
import type { PollState } from '@formwire/sdk'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'

/** Returns a text of the instant that sorts in order of time, up to nanoseconds. @throws Failure if it is not a date */
export function instantOf({ id, submitted_at: text }: Pick<FormResponse, 'id' | 'submitted_at'>): string {
  const ms = Date.parse(text ?? '')
  if (text === null || Number.isNaN(ms)) {
    throw new Failure(`response ${id} has no valid submitted_at, got "${text}"`, {
      exitCode: EXIT.failed,
      code: 'invalid_response',
    })
  }
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? []
  return `${new Date(ms).toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}`
}

/** How far an export has come: the last instant, and which responses at this instant are done. */
export class Position {
  #instant = ''
  #ids = new Set<number>()

  /** @param state position after an earlier run */
  constructor(state: PollState | undefined) {
    if (!state) return
    this.#instant = instantOf({ id: state.ids[0] ?? 0, submitted_at: state.since })
    this.#ids = new Set(state.ids)
  }

  /** The last instant, as {@link instantOf} writes it; '' before the first response. */
  get instant(): string {
    return this.#instant
  }

  /** Whether the response at this instant is one of those that are done at the last instant. */
  has(id: number, instant: string): boolean {
    return instant === this.#instant && this.#ids.has(id)
  }

  /** Marks a response as done. The last instant becomes its own, if that is another. */
  add(id: number, instant: string): void {
    if (instant !== this.#instant) this.#ids.clear()
    this.#instant = instant
    this.#ids.add(id)
  }
}
