import { backoffMs } from '@formwire/internal/backoff'
import { sleep } from '@formwire/internal/clock'
import type { Clock } from '@formwire/sdk'
import type { ClaimedEvent, InboxDedupe } from './options.ts'

/** Attempts to record that work was done. With the waits between them, shorter than the 10 s that a delivery may take (DLV-05). */
const ATTEMPTS = 5
const FIRST_WAIT_MS = 200

/** What is remembered of a response: that it was handled, and that a delivery of it was acknowledged. */
type Fact = 'handled' | 'delivered'

/** What an inbox remembers of each response, in a dedupe store. */
export class Claims {
  readonly #dedupe: InboxDedupe
  readonly #clock: Clock

  constructor(dedupe: InboxDedupe, clock: Clock) {
    this.#dedupe = dedupe
    this.#clock = clock
  }

  /**
   * Handles a response unless it was handled, or is being handled elsewhere.
   *
   * @returns the state found; `work` ran if it is "claimed". @throws the error of `work`, after which the response is free again.
   */
  async once(
    formId: string,
    id: number,
    work: () => unknown,
  ): Promise<'claimed' | 'in_progress' | 'completed'> {
    const claim = await this.#dedupe.claim(eventOf('handled', formId, id))
    if (claim.state !== 'claimed') return claim.state
    try {
      await work()
    } catch (error) {
      // If the release fails, the claim expires at its deadline.
      await claim.release().catch(() => undefined)
      throw error
    }
    // The work is done: forgetting it would repeat it.
    await this.#persist(() => claim.complete())
    return 'claimed'
  }

  /** Records that a delivery is about to be acknowledged. */
  async markDelivered(formId: string, id: number): Promise<void> {
    await this.#persist(async () => {
      const claim = await this.#dedupe.claim(eventOf('delivered', formId, id))
      if (claim.state === 'in_progress')
        throw new Error(`The delivery of response ${id} is being recorded or checked elsewhere.`)
      if (claim.state === 'claimed') await claim.complete()
    })
  }

  /**
   * Whether a delivery of the response was acknowledged. A dedupe store can only be asked by a claim, which is released: a delivery that
   * arrives meanwhile is refused, and the service sends it again.
   */
  async probeDelivered(formId: string, id: number): Promise<boolean> {
    const claim = await this.#dedupe.claim(eventOf('delivered', formId, id))
    if (claim.state === 'claimed') await claim.release()
    // A claim in progress may be that of another probe, or of one that died.
    return claim.state === 'completed'
  }

  /** Repeats a call through a short outage of the store. */
  async #persist(call: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await call()
        return
      } catch (error) {
        if (attempt === ATTEMPTS) throw error
        await sleep(this.#clock, backoffMs(attempt, FIRST_WAIT_MS))
      }
    }
  }
}

/**
 * Returns the event under which a fact is claimed. The form id has a prefix, so that a receiver with the same dedupe store, which
 * claims the event itself, does not block the inbox. No delivery id: it must be the same for a webhook and a poll.
 */
function eventOf(fact: Fact, formId: string, id: number): ClaimedEvent {
  return {
    type: 'response.submitted',
    form: { id: `inbox:${fact}:${formId}`, title: '' },
    response: { id, submitted_at: '', score: null, max_score: null, answers: [], meta: {} },
    deliveryId: null,
    timestamp: new Date(0),
  }
}
