import type { BuiltInReceiver as BuiltInReceiverView, ReceiverStep } from '@formwire/contract/control'
import type { Context } from '../context.ts'
import { lazy } from '../lazy.ts'
import type { State } from '../store/state.ts'
import { Receivers } from './receivers.ts'

/**
 * The receiver that the endpoints of the demo point to, so that their deliveries succeed without a program of the user's. It
 * listens on a free loopback port, which the endpoints follow. It verifies no signatures, since a secret may be rotated.
 */
export class BuiltInReceiver {
  readonly #context: Pick<Context, 'clock' | 'state'>
  readonly #receivers: Receivers
  readonly #start = lazy(async () => {
    const { id, url } = await this.#receivers.create({})
    this.#running = { id, url }
    return id
  })
  #running: { readonly id: number; readonly url: string } | undefined

  constructor(context: Pick<Context, 'clock' | 'state'>) {
    this.#context = context
    this.#receivers = new Receivers(context.clock, { receivers: 1 })
  }

  /** Returns the receiver, or `null` before it was started. */
  running(): BuiltInReceiverView | null {
    if (!this.#running) return null
    const { url, script } = this.#receivers.get(this.#running.id)
    const [{ steps_left, received } = { steps_left: 0, received: 0 }] = this.#receivers.states()
    return { url, script, steps_left, received }
  }

  /** Starts the receiver, unless it is running, and points the endpoints of the demo to it. Rejects once the server closes. */
  async start(): Promise<BuiltInReceiverView> {
    await this.#start()
    this.connect()
    return this.running() as BuiltInReceiverView
  }

  /** Replaces the script. Throws 422 for an invalid one. */
  async setScript(script: ReceiverStep[]): Promise<BuiltInReceiverView> {
    await this.#receivers.update(await this.#start(), { script })
    return this.running() as BuiltInReceiverView
  }

  /** Removes the script and what was recorded. The port stays. */
  restart(): void {
    if (this.#running) this.#receivers.restart(this.#running.id)
  }

  /** Points the endpoints that are marked as built in to the port of this start. Does nothing before it is running. */
  connect(): void {
    if (!this.#running) return
    const { endpoints } = this.#context.state
    const { origin } = new URL(this.#running.url)
    for (const endpoint of endpoints.all()) {
      if (!endpoint.builtIn) continue
      const { pathname, search } = new URL(endpoint.url)
      endpoints.put({ ...endpoint, url: origin + pathname + search })
    }
  }

  close(): Promise<void> {
    return this.#receivers.close()
  }
}

/** Whether a state has endpoints that need the built-in receiver. */
export const needsBuiltInReceiver = ({ endpoints }: State): boolean =>
  endpoints.all().some(({ builtIn }) => builtIn)
