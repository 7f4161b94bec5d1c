import type { EndpointHealth, FormEndpoint } from '@formwire/contract/control'
import { healthText as textOf } from '@formwire/internal/endpoint-health'
import { grouped } from '../output/progress.ts'
import { timeOrDate, utcTime } from '../output/time.ts'
import type { ControlClient, Delivery } from './client.ts'

/** Returns a health in words, as the console does: `failing since 2026-11-21T12:00:00Z`, `paused since … (3 not sent)`. */
export const healthText = (health: EndpointHealth): string =>
  textOf(health, (since) => since.replace(/\.\d+/, ''))

/** Returns a health in words for a table, as the console does: `failing since 12:00:00Z`, `paused since 19 Nov (3 not sent)`. */
export const shortHealthText = (health: EndpointHealth, now: number): string =>
  textOf(health, (since) => timeOrDate(since, now))

/** Most urgent first. */
const STATES = ['failing', 'paused', 'healthy', 'unused'] as const

/** Returns the health of several endpoints on one line: `endpoint 4 failing since 12:00:00Z · 2 endpoints healthy`. */
export function healthSummary(
  endpoints: readonly Pick<FormEndpoint, 'id' | 'health'>[],
  now: number,
): string {
  const today = new Date(now).toISOString().slice(0, 10)
  return STATES.flatMap((state) => {
    const [first, ...others] = endpoints.filter(({ health }) => health.state === state)
    if (!first) return []
    const word = state === 'unused' ? 'never used' : state
    if (others.length > 0) return [`${grouped(others.length + 1)} endpoints ${word}`]
    const { since } = first.health
    const from =
      since === null ? '' : ` since ${since.startsWith(today) ? utcTime(since) : since.slice(0, 10)}`
    return [`endpoint ${first.id} ${word}${from}`]
  }).join(' · ')
}

/** Returns whether an endpoint is one of the form, or has the id, if they are given. */
export const isOf =
  (formId: string | undefined, webhookId: number | undefined) =>
  ({ id, form_id }: Pick<FormEndpoint, 'id' | 'form_id'>): boolean =>
    [undefined, form_id].includes(formId) && [undefined, id].includes(webhookId)

/** The endpoints of a server, read all at once, and again for one that is not known. */
export class Endpoints {
  readonly #control: ControlClient
  readonly #known = new Map<number, FormEndpoint | undefined>()

  constructor(control: ControlClient) {
    this.#control = control
  }

  async all(): Promise<readonly FormEndpoint[]> {
    const all = await this.#control.endpoints()
    for (const endpoint of all) this.#known.set(endpoint.id, endpoint)
    return all
  }

  /** Reads all endpoints and returns those of the form, or the one with the id, if they are given. */
  async of(formId: string | undefined, webhookId: number | undefined): Promise<readonly FormEndpoint[]> {
    return (await this.all()).filter(isOf(formId, webhookId))
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
