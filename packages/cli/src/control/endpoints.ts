import type { EndpointHealth } from '@formwire/contract/control'
import type { ControlClient, ControlEndpoint } from './client.ts'
import type { Delivery } from './delivery.ts'

/** The endpoints of a server, read all at once, and again for one that is not known. */
export class Endpoints {
  readonly #control: ControlClient
  readonly #known = new Map<number, ControlEndpoint | undefined>()

  constructor(control: ControlClient) {
    this.#control = control
  }

  async all(): Promise<readonly ControlEndpoint[]> {
    const all = await this.#control.endpoints()
    for (const endpoint of all) this.#known.set(endpoint.id, endpoint)
    return all
  }

  /** Reads all endpoints and returns those of the form, or the one with the id, if they are given. */
  async of(formId: string | undefined, webhookId: number | undefined): Promise<readonly ControlEndpoint[]> {
    return (await this.all()).filter(
      ({ id, form_id }) => [undefined, form_id].includes(formId) && [undefined, id].includes(webhookId),
    )
  }

  /** Reads the endpoint of a delivery unless it is known: one that was deleted is asked for once, others until there is a response. */
  async read({ webhook_id: id }: Pick<Delivery, 'webhook_id'>): Promise<void> {
    if (this.#known.has(id)) return
    try {
      await this.all()
      if (!this.#known.has(id)) this.#known.set(id, undefined)
    } catch {
      // The deliveries are shown without its URL.
    }
  }

  /** Returns the URL of the endpoint of a delivery, or '' if it is not known. */
  readonly urlOf = ({ webhook_id }: Pick<Delivery, 'webhook_id'>): string =>
    this.#known.get(webhook_id)?.url ?? ''

  /** Returns the health of the endpoint of a delivery, as it was read last; undefined if it is not known. */
  healthOf({ webhook_id }: Pick<Delivery, 'webhook_id'>): EndpointHealth | undefined {
    return this.#known.get(webhook_id)?.health
  }
}
