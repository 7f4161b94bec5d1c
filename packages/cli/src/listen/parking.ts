import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { fileProblem } from '../failure.ts'
import { shellWord } from '../output/text-safety.ts'
import { isCheckpointDirectory } from '../polling/start.ts'
import type { ReceivedDelivery } from './received-delivery.ts'
import type { RawDelivery } from './receiver.ts'
import { record } from './recording.ts'

/** Where `--poll` keeps the responses that no attempt has delivered: in the directory of the checkpoint, or beside its file. */
export class Parking {
  readonly #context: Context
  readonly #directory: string | undefined

  /** @param checkpoint the path of `--checkpoint`, if any */
  constructor(context: Context, checkpoint: string | undefined) {
    this.#context = context
    if (checkpoint === undefined) return
    this.#directory = isCheckpointDirectory(checkpoint) ? join(checkpoint, 'parked') : `${checkpoint}.parked`
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

  /** Parks a delivery as a recording for `formwire replay`, reports it, and returns what sends it again. */
  async park(delivery: RawDelivery, facts: ParkedFacts): Promise<NonNullable<ReceivedDelivery['parked']>> {
    const { formId, responseId, deliveryId, outcome, attempts, target } = facts
    const file = (await this.#write(delivery)) ?? null
    const words =
      file === null
        ? ['trigger', 'response.submitted', '--form', formId, '--response', String(responseId)]
        : ['replay', file]
    const command = ['formwire', ...words, '--forward-to', target].map(shellWord).join(' ')
    this.#context.output.announce(
      'parked',
      `response ${responseId} of form ${formId} was parked after ${attempts} attempts (last: ${outcome}); continuing with the next one. To send it again, run: ${command}`,
      { form_id: formId, response_id: responseId, delivery_id: deliveryId, attempts, file },
    )
    return { file, command }
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
      this.#context.output.announce(
        'not_recorded',
        `could not park a response in ${this.#directory}: ${fileProblem(error) ?? (error as Error).message}`,
      )
      return undefined
    }
  }
}

/** What is reported about a parked response. */
interface ParkedFacts {
  formId: string
  responseId: number
  deliveryId: string
  /** Outcome of the last attempt, such as `the handler responded with 500`. */
  outcome: string
  attempts: number
  /** URL of the handler. */
  target: string
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}
