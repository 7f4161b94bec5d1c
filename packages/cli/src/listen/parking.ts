import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import type { RawDelivery } from './receiver.ts'
import { record } from './recording.ts'

/** Where `--poll` keeps the responses that the handler has refused ten times: beside the checkpoint. */
export class Parking {
  readonly #context: Context
  readonly #directory: string | undefined

  /** @param checkpoint the path of `--checkpoint`, if any */
  constructor(context: Context, checkpoint: string | undefined) {
    this.#context = context
    this.#directory = checkpoint === undefined ? undefined : join(checkpoint, 'parked')
  }

  /** Reports what an earlier run has parked. */
  reportEarlier(): void {
    const names = this.#directory === undefined ? [] : namesIn(this.#directory)
    if (names.length === 0 || this.#directory === undefined) return
    const them = names.length === 1 ? '1 response is' : `${names.length} responses are`
    this.#context.output.note(
      `${them} parked in ${this.#directory}; to send one again, run: formwire replay FILE --forward-to URL`,
    )
  }

  /** Parks a delivery as a recording for `formwire replay` and reports it. */
  async park(delivery: RawDelivery, facts: ParkedFacts): Promise<void> {
    const { formId, responseId, deliveryId, outcome, attempts } = facts
    const file = await this.#write(delivery)
    const again =
      file === undefined
        ? `formwire trigger response.submitted --form ${formId} --response ${responseId} --forward-to URL`
        : `formwire replay ${file} --forward-to URL`
    this.#context.output.announce(
      'parked',
      `response ${responseId} of form ${formId} was not handled in ${attempts} attempts (${outcome}); continuing with the next one. To send it again, run: ${again}`,
      { form_id: formId, response_id: responseId, delivery_id: deliveryId, attempts, file: file ?? null },
    )
  }

  async #write(delivery: RawDelivery): Promise<string | undefined> {
    if (this.#directory === undefined) return undefined
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
      return await record(
        this.#directory,
        delivery,
        new Date(this.#context.runtime.clock.now()).toISOString(),
      )
    } catch (error) {
      this.#context.output.announce('not_recorded', `could not park a response: ${(error as Error).message}`)
      return undefined
    }
  }
}

/** What is reported about a parked response. */
interface ParkedFacts {
  formId: string
  responseId: number
  deliveryId: string
  /** Outcome of the last attempt, such as `HTTP 500`. */
  outcome: string
  attempts: number
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}
