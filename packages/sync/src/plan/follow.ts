import type { Form } from '@formwire/contract'

/** Forms that are looked at in one round although their counts did not move, at most: one request each. */
const MAX_SLOW_FORMS = 10

/** Decides which forms each round of `run()` reads. */
export class FollowPlan {
  readonly #slowRounds: number
  #forms: Form[] = []
  /** `response_count` at the last successful reading. */
  readonly #counts = new Map<string, number>()
  #round = 0
  /** Position of the slow round in the list of forms. */
  #position = 0

  /** @param slowRounds rounds in which a slow round should have seen every form */
  constructor(slowRounds: number) {
    this.#slowRounds = slowRounds
  }

  /** Whether the given forms are looked for again in this round. */
  get isSlow(): boolean {
    return this.#round % this.#slowRounds === 0
  }

  /** Replaces the forms that exist. */
  setForms(forms: readonly Form[]): void {
    this.#forms = [...forms]
  }

  /**
   * Returns the forms to read: `moved` may have changed, according to their count; `slow` are a share of the others, because a count
   * may stay equal while responses come and go. Without a list of forms, every form is read in each round.
   */
  next(usesCounts: boolean): { moved: Form[]; slow: Form[] } {
    const { moved, others } = this.#split(usesCounts)
    if (!usesCounts) return this.isSlow ? { moved: [], slow: moved } : { moved, slow: [] }
    const share = Math.min(MAX_SLOW_FORMS, Math.ceil(this.#forms.length / this.#slowRounds))
    const slow: Form[] = []
    for (let step = 0; step < this.#forms.length && slow.length < share; step += 1) {
      const form = this.#forms[this.#position % this.#forms.length] as Form
      this.#position += 1
      if (others.has(form.id)) slow.push(form)
    }
    return { moved, slow }
  }

  #split(usesCounts: boolean): { moved: Form[]; others: Set<string> } {
    const moved: Form[] = []
    const others = new Set<string>()
    for (const form of this.#forms) {
      if (usesCounts && this.#counts.get(form.id) === form.response_count) others.add(form.id)
      else moved.push(form)
    }
    return { moved, others }
  }

  /** Records that a form was read. */
  done({ id, response_count }: Form): void {
    this.#counts.set(id, response_count)
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
