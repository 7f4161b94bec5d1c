import { backoffMs } from '@formwire/internal/backoff'
import { sleep } from '@formwire/internal/clock'
import { Once } from '../once.ts'
import type { SyncedResponse } from '../options.ts'
import { deliveredResponse, type SubmittedEvent } from '../rows/row.ts'
import type { InboxDedupe, InboxSettings } from './options.ts'
import type { InboxQueue, ResponseKey } from './queue.ts'

/** Where the responses of an inbox go, each once. */
export interface Intake {
  /** Takes a delivery. What it returns acknowledges it. */
  deliver(event: SubmittedEvent): Promise<void>
  /** Takes a response that the poll found. `busy`: it is being handled elsewhere, and must be offered again. */
  find(response: SyncedResponse): Promise<'new' | 'known' | 'busy'>
  /** Whether a delivery of the response was acknowledged. */
  wasDelivered(formId: string, id: number): Promise<boolean>
  /** Whether an error is one that the handler threw. */
  isOfHandler(error: unknown): boolean
}

/** What is remembered of a response: that it was handled, and that a delivery of it was acknowledged. */
type Fact = 'handled' | 'delivered'

/** Attempts to record that work was done. With the waits between them, shorter than the 10 s that a delivery may take (DLV-05). */
const ATTEMPTS = 5
const FIRST_WAIT_MS = 200

/** Handles responses as they arrive, and remembers them in a dedupe store. */
export class DirectIntake implements Intake {
  readonly #settings: InboxSettings
  readonly #dedupe: InboxDedupe
  #handlerError: unknown

  constructor(settings: InboxSettings, dedupe: InboxDedupe) {
    this.#settings = settings
    this.#dedupe = dedupe
  }

  async deliver(event: SubmittedEvent): Promise<void> {
    const { form, response } = event
    const state = await this.#once(form.id, response.id, () =>
      this.#settings.handle({ ...deliveredResponse(event), complete: false }, { source: 'webhook' }),
    )
    if (state === 'in_progress')
      throw new Error(`Response ${response.id} of form ${form.id} is being handled elsewhere.`)
    // A delivery is about to be acknowledged.
    await this.#persist(async () => {
      const claim = await this.#claim('delivered', form.id, response.id)
      if (claim.state === 'in_progress')
        throw new Error(`The delivery of response ${response.id} is being recorded or checked elsewhere.`)
      if (claim.state === 'claimed') await claim.complete()
    })
  }

  async find(response: SyncedResponse): Promise<'new' | 'known' | 'busy'> {
    const state = await this.#once(response.form_id, response.id, async () => {
      try {
        await this.#settings.handle(response, { source: 'poll' })
      } catch (error) {
        this.#handlerError = error
        throw error
      }
    })
    return state === 'in_progress' ? 'busy' : state === 'claimed' ? 'new' : 'known'
  }

  /**
   * A dedupe store can only be asked by a claim, which is released: a delivery that arrives meanwhile is refused, and the service sends it
   * again.
   */
  async wasDelivered(formId: string, id: number): Promise<boolean> {
    const claim = await this.#claim('delivered', formId, id)
    if (claim.state === 'claimed') await claim.release()
    // A claim in progress may be that of another probe, or of one that died.
    return claim.state === 'completed'
  }

  isOfHandler(error: unknown): boolean {
    return error === this.#handlerError
  }

  /**
   * Handles a response unless it was handled, or is being handled elsewhere.
   *
   * @returns the state found; `work` ran if it is "claimed". @throws the error of `work`, after which the response is free again.
   */
  async #once(
    formId: string,
    id: number,
    work: () => unknown,
  ): Promise<'claimed' | 'in_progress' | 'completed'> {
    const claim = await this.#claim('handled', formId, id)
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

  /**
   * Claims a fact. The form id has a prefix, so that a receiver with the same dedupe store, which claims the event itself, does not block
   * the inbox. No delivery id: it must be the same for a webhook and a poll.
   */
  #claim(fact: Fact, formId: string, id: number): ReturnType<InboxDedupe['claim']> {
    return this.#dedupe.claim({
      type: 'response.submitted',
      form: { id: `inbox:${fact}:${formId}`, title: '' },
      response: { id, submitted_at: '', score: null, max_score: null, answers: [], meta: {} },
      deliveryId: null,
      timestamp: new Date(0),
    })
  }

  /** Repeats a call through a short outage of the store. */
  async #persist(call: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await call()
        return
      } catch (error) {
        if (attempt === ATTEMPTS) throw error
        await sleep(this.#settings.clock, backoffMs(attempt, FIRST_WAIT_MS))
      }
    }
  }
}

/** Stores responses in a queue, whose workers handle them. */
export class QueuedIntake implements Intake {
  readonly #queue: InboxQueue
  readonly #workspaceId: Once<string>

  constructor({ formwire }: InboxSettings, queue: InboxQueue) {
    this.#queue = queue
    this.#workspaceId = new Once(async () => String((await formwire.me()).workspace.id))
  }

  async deliver(event: SubmittedEvent): Promise<void> {
    const response = { ...deliveredResponse(event), complete: false }
    await this.#queue.add(await this.#keyOf(response.form_id, response.id), response, 'webhook')
  }

  async find(response: SyncedResponse): Promise<'new' | 'known'> {
    const key = await this.#keyOf(response.form_id, response.id)
    return (await this.#queue.add(key, response, 'poll')) ? 'new' : 'known'
  }

  async wasDelivered(formId: string, id: number): Promise<boolean> {
    return await this.#queue.wasDelivered(await this.#keyOf(formId, id))
  }

  isOfHandler(): boolean {
    return false
  }

  async #keyOf(form_id: string, response_id: number): Promise<ResponseKey> {
    return { workspace_id: await this.#workspaceId.run(), form_id, response_id }
  }
}
