import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import type { ControlClient } from './client.ts'
import type { Delivery } from './delivery.ts'

/** An endpoint, as a delivery names it. */
type EndpointOf = Pick<Delivery, 'form_id' | 'webhook_id'>

/** The URLs of endpoints, each read once. */
export class EndpointUrls {
  readonly #control: ControlClient
  readonly #urls = new Map<number, string>()

  constructor(control: ControlClient) {
    this.#control = control
  }

  /** Reads the URL of an endpoint. It stays empty for one that was deleted meanwhile, and until the next read if it fails otherwise. */
  async read({ form_id, webhook_id }: EndpointOf): Promise<void> {
    if (this.#urls.has(webhook_id)) return
    try {
      this.#urls.set(webhook_id, (await this.#control.webhook(form_id, webhook_id)).url)
    } catch (error) {
      if (error instanceof Failure && error.exitCode === EXIT.notFound) this.#urls.set(webhook_id, '')
    }
  }

  /** Returns the URL of an endpoint that was read, else ''. */
  readonly of = ({ webhook_id }: EndpointOf): string => this.#urls.get(webhook_id) ?? ''
}
