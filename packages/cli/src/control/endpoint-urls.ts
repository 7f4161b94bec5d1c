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

  /** Reads the URL of an endpoint. It stays empty if that fails, such as for one that was deleted meanwhile. */
  async read({ form_id, webhook_id }: EndpointOf): Promise<void> {
    if (this.#urls.has(webhook_id)) return
    const endpoint = await this.#control.webhook(form_id, webhook_id).catch(() => undefined)
    this.#urls.set(webhook_id, endpoint?.url ?? '')
  }

  /** Returns the URL of an endpoint that was read, else ''. */
  readonly of = ({ webhook_id }: EndpointOf): string => this.#urls.get(webhook_id) ?? ''
}
