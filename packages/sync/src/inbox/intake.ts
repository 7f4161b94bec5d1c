import { Once } from '../once.ts'
import type { SyncedResponse } from '../options.ts'
import { deliveredResponse, type SubmittedEvent } from '../rows/row.ts'
import { Claims } from './claims.ts'
import type { InboxSettings } from './options.ts'
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

/** Handles responses as they arrive, and remembers them in a dedupe store. */
export class DirectIntake implements Intake {
  readonly #handle: InboxSettings['handle']
  readonly #claims: Claims
  #handlerError: unknown

  constructor({ handle, clock }: InboxSettings, dedupe: NonNullable<InboxSettings['dedupe']>) {
    this.#handle = handle
    this.#claims = new Claims(dedupe, clock)
  }

  async deliver(event: SubmittedEvent): Promise<void> {
    const { form, response } = event
    const state = await this.#claims.once(form.id, response.id, () =>
      this.#handle({ ...deliveredResponse(event), complete: false }, { source: 'webhook' }),
    )
    if (state === 'in_progress')
      throw new Error(`Response ${response.id} of form ${form.id} is being handled elsewhere.`)
    await this.#claims.markDelivered(form.id, response.id)
  }

  async find(response: SyncedResponse): Promise<'new' | 'known' | 'busy'> {
    const state = await this.#claims.once(response.form_id, response.id, async () => {
      try {
        await this.#handle(response, { source: 'poll' })
      } catch (error) {
        this.#handlerError = error
        throw error
      }
    })
    return state === 'in_progress' ? 'busy' : state === 'claimed' ? 'new' : 'known'
  }

  wasDelivered(formId: string, id: number): Promise<boolean> {
    return this.#claims.probeDelivered(formId, id)
  }

  isOfHandler(error: unknown): boolean {
    return error === this.#handlerError
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
