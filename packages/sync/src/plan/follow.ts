import type { Form } from '@formwire/contract'
import type { Failures } from '../failures.ts'

/** Every how many rounds slow work is done: drafts, lost forms, and forms whose counts did not move. */
export const SLOW_ROUNDS = 10

/** Requests that a pause leaves for the next round, in those of the last one: more forms may have changed. */
export const RESERVED_ROUNDS = 1.5

/** Forms that are read between two slow rounds although their counts did not move: one request each. */
const MIN_UNMOVED = 10
const MAX_UNMOVED = 100

/** Slow rounds in which every form has its turn, whatever the rate budget leaves. */
const MAX_SLOW_ROUNDS = 100

/** How many forms have their turn between two slow rounds: at least, and at most. */
export function turnsOf(forms: number): { least: number; most: number } {
  const least = Math.max(MIN_UNMOVED, Math.ceil(forms / MAX_SLOW_ROUNDS))
  return { least, most: Math.max(MAX_UNMOVED, least) }
}

/** Decides which forms each round of `run()` reads. */
export class FollowPlan {
  readonly #slowRounds: number
  /** Forms that the service fails for. Each is tried again by itself, so that it does not delay the others. */
  readonly #failures: Failures<string>
  #forms: Form[] = []
  /** `response_count` at the last successful reading. */
  readonly #counts = new Map<string, number>()
  /** The round in which each form was last read completely. */
  readonly #turns = new Map<string, number>()
  /** Forms whose turn it is, although their counts did not move: those read longest ago. */
  #due: Form[] = []
  /** Forms that changed although their counts may not have moved. */
  readonly #touched = new Set<string>()
  #round = 0

  /** @param slowRounds every how many rounds one is slow, the first one included */
  constructor(slowRounds: number, failures: Failures<string>) {
    this.#slowRounds = slowRounds
    this.#failures = failures
  }

  /** Whether this round also looks for lost forms, sweeps drafts, and lets forms have their turn whose count did not move. */
  get isSlow(): boolean {
    return this.#round % this.#slowRounds === 0
  }

  /** Replaces the forms that exist. One that was missing is read again when it is back, whatever its count. */
  setForms(forms: readonly Form[]): void {
    const ids = new Set(forms.map(({ id }) => id))
    for (const { id } of this.#forms) if (!ids.has(id)) this.lose(id)
    this.#forms = [...forms]
  }

  /**
   * Returns the forms that may have changed: their count did, or there is no list that shows the counts. Forms that failed wait for
   * {@link failedBy}.
   */
  next(usesCounts: boolean): Form[] {
    const moved: Form[] = []
    const others: Form[] = []
    for (const form of this.#forms) {
      if (this.#failures.has(form.id)) continue
      if (this.#touched.delete(form.id)) this.#counts.delete(form.id)
      const isEqual = usesCounts && this.#counts.get(form.id) === form.response_count
      ;(isEqual ? others : moved).push(form)
    }
    if (this.isSlow) {
      const turn = ({ id }: Form): number => this.#turns.get(id) ?? -1
      this.#due = others.sort((a, b) => turn(a) - turn(b)).slice(0, turnsOf(this.#forms.length).most)
    }
    return moved
  }

  /** How many forms have their turn after this round even if the rate budget is short. */
  get leastUnmoved(): number {
    return this.isSlow ? turnsOf(this.#forms.length).least : 0
  }

  get hasUnmoved(): boolean {
    return this.#due.length > 0
  }

  /** Takes the next form whose turn it is, because a count may stay equal while responses come and go. */
  takeUnmoved(): Form | undefined {
    const form = this.#due.shift()
    if (form) this.#turns.set(form.id, this.#round)
    return form
  }

  /** Has the next round read a form whatever its count: a delivery arrived, and a deletion may have kept the count equal. */
  touch(id: string): void {
    this.#touched.add(id)
  }

  /**
   * Records that a form was read. One that was read without its drafts keeps its turn. The count is that of the list, from before it was
   * read: if a response came in between, the form is read again. Returns whether it had failed before.
   */
  done({ id, response_count }: Form, { complete }: { complete: boolean }): boolean {
    this.#counts.set(id, response_count)
    if (complete) {
      this.#turns.set(id, this.#round)
      this.#due = this.#due.filter((form) => form.id !== id)
    }
    return this.#failures.delete(id)
  }

  /** Records that a form could not be read. Returns how often that happened in a row. */
  fail({ id }: Form, error: unknown, tookMs: number): number {
    this.#due = this.#due.filter((form) => form.id !== id)
    return this.#failures.add(id, error, tookMs).attempt
  }

  /** When a form that failed may be tried again. */
  get retryAt(): number {
    return this.#failures.nextAt
  }

  /** Returns the forms that failed and may be tried again at an instant. */
  failedBy(instant: number): Form[] {
    return this.#forms.filter(({ id }) => this.#failures.has(id) && this.#failures.retryAt(id) <= instant)
  }

  /** Drops a form that is lost, until it is found again. */
  lose(id: string): void {
    this.#forms = this.#forms.filter((form) => form.id !== id)
    this.#due = this.#due.filter((form) => form.id !== id)
    this.#counts.delete(id)
    this.#failures.delete(id)
  }

  /** Ends a round. */
  endRound(): void {
    this.#round += 1
  }
}
