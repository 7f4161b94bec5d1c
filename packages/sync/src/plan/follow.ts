import type { Form } from '@formwire/contract'

/** Forms that a slow round looks at although their counts did not move, at most: one request each. */
const MAX_SLOW_FORMS = 100

/** Decides which forms each round of `run()` reads. */
export class FollowPlan {
  readonly #slowRounds: number
  #forms: Form[] = []
  /** `response_count` at the last successful reading. */
  readonly #counts = new Map<string, number>()
  /** The slow round in which each form was last read. */
  readonly #turns = new Map<string, number>()
  #round = 0

  /** @param slowRounds every how many rounds one is slow, the first one included */
  constructor(slowRounds: number) {
    this.#slowRounds = slowRounds
  }

  /** Whether this round also looks for lost forms, sweeps drafts, and reads forms whose count did not move. */
  get isSlow(): boolean {
    return this.#round % this.#slowRounds === 0
  }

  /** Replaces the forms that exist. */
  setForms(forms: readonly Form[]): void {
    this.#forms = [...forms]
  }

  /**
   * Returns the forms to read. `moved` may have changed: their count did, or there is no list that shows the counts. `unmoved` are read
   * in a slow round only, because a count may stay equal while responses come and go: those whose turn was longest ago.
   */
  next(usesCounts: boolean): { moved: Form[]; unmoved: Form[] } {
    const moved: Form[] = []
    const others: Form[] = []
    for (const form of this.#forms) {
      const isEqual = usesCounts && this.#counts.get(form.id) === form.response_count
      ;(isEqual ? others : moved).push(form)
    }
    if (!this.isSlow) return { moved, unmoved: [] }
    const turn = ({ id }: Form): number => this.#turns.get(id) ?? -1
    const due = others.filter((form) => turn(form) < this.#round).sort((a, b) => turn(a) - turn(b))
    return { moved, unmoved: due.slice(0, MAX_SLOW_FORMS) }
  }

  /** Records that a form was read. */
  done({ id, response_count }: Form): void {
    this.#counts.set(id, response_count)
    if (this.isSlow) this.#turns.set(id, this.#round)
  }

  /** Drops a form that is lost, until it is found again. */
  lose(id: string): void {
    this.#forms = this.#forms.filter((form) => form.id !== id)
    this.#counts.delete(id)
  }

  /** Ends a round. */
  endRound(): void {
    this.#round += 1
  }
}
