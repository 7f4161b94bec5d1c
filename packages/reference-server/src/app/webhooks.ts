import type { CreatedWebhookEndpoint, Deleted, WebhookEndpoint } from '@formwire/contract'
import type { Context } from '../context.ts'
import {
  type DeliveryEntry,
  type DeliveryService,
  eventBody,
  exampleResponse,
  writeEntry,
} from '../delivery/index.ts'
import { HostNotResolvedError } from '../delivery/resolve-host.ts'
import { STOP_NOTES } from '../domain/delivery.ts'
import type { FormRecord } from '../domain/form.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { type EndpointRecord, generateSecret } from '../domain/webhook-endpoint.ts'
import { invalid, notFound, ServiceError } from '../http/errors.ts'
import { PLANS } from '../policy/plan.ts'

/** The answer of a rotation: the only time that the new secret is shown (HOOK-08). */
export interface RotatedSecret {
  id: number
  secret: string
}

export type Webhooks = ReturnType<typeof createWebhooks>

/** Webhook endpoints, as the form's webhooks page and the API handle them. */
export function createWebhooks(context: Context, delivery: DeliveryService) {
  const requireForm = (formId: string): FormRecord => {
    const form = context.state.forms.get(formId)
    if (!form) throw notFound()
    return form
  }
  const find = (formId: string, id: number): EndpointRecord => {
    requireForm(formId)
    const endpoint = context.state.endpoints.get(id)
    if (endpoint?.formId !== formId) throw notFound()
    return endpoint
  }
  const put = (endpoint: EndpointRecord): WebhookEndpoint => {
    context.state.endpoints.put(endpoint)
    return endpointView(context, endpoint)
  }

  return {
    /** In the order in which they were added. Without secrets (HOOK-01). */
    list(formId: string): WebhookEndpoint[] {
      const { endpoints } = context.state
      return endpoints.ofForm(requireForm(formId).id).map((endpoint) => endpointView(context, endpoint))
    },
    get: (formId: string, id: number): WebhookEndpoint => endpointView(context, find(formId, id)),
    /**
     * Adds an endpoint (HOOK-02). Throws 422 field `url` for an address that breaks the rules (HOOK-04), and what
     * `eleventhEndpoint` says for one too many (HOOK-06, HOOK-09).
     */
    async create(formId: string, { url }: { url: string }): Promise<CreatedWebhookEndpoint> {
      requireForm(formId)
      await vetForRegistration(context, delivery, url)
      // Looked up again, and counted only now: others may have been added while the name was looked up.
      const form = requireForm(formId)
      refuseOneTooMany(context, form)
      const { endpoints } = context.state
      const endpoint: EndpointRecord = {
        id: endpoints.nextId(),
        formId,
        workspaceId: form.workspaceId,
        url,
        active: true,
        secret: generateSecret(context.random),
        createdAt: context.clock.now(),
      }
      return { ...put(endpoint), secret: endpoint.secret }
    },
    /** Removes an endpoint with its log; what waited there never happens (HOOK-03). */
    delete(formId: string, id: number): Deleted {
      find(formId, id)
      context.state.endpoints.delete(id)
      delivery.engine.forget(id)
      return { id, deleted: true }
    },
    /** Sends nothing new; what waits fails with a note (HOOK-07). Pausing a paused one changes nothing. */
    pause(formId: string, id: number): WebhookEndpoint {
      const paused = put({ ...find(formId, id), active: false })
      delivery.engine.stopWaiting(id, STOP_NOTES.paused)
      return paused
    },
    /** Sends new responses again (HOOK-07). What came in between is never sent. */
    resume: (formId: string, id: number): WebhookEndpoint => put({ ...find(formId, id), active: true }),
    /** A new secret, at once, also for attempts that wait (HOOK-08). */
    rotateSecret(formId: string, id: number): RotatedSecret {
      const secret = generateSecret(context.random)
      put({ ...find(formId, id), secret })
      return { id, secret }
    },
    /** Sends a `test.ping` (DLV-02). Throws 422 while paused. */
    test(formId: string, id: number): DeliveryEntry {
      const endpoint = find(formId, id)
      requireActive(endpoint)
      const { settings, clock } = context
      const { title } = requireForm(formId)
      const response = exampleResponse(clock.now(), settings.unspecified.timestamps)
      const body = eventBody('test.ping', { id: formId, title }, response, settings.unspecified)
      const ping = delivery.engine.enqueue(endpoint, { event: 'test.ping', responseId: 0, body })
      return writeEntry(ping, settings.unspecified)
    },
  }
}

/** Throws 422 while the endpoint is paused (HOOK-07). */
export function requireActive(endpoint: EndpointRecord): void {
  if (!endpoint.active) {
    throw new ServiceError('validation_failed', 'The endpoint is paused: resume it first.')
  }
}

/** An endpoint as it is shown, without its secret (HOOK-01). */
function endpointView({ settings }: Context, endpoint: EndpointRecord): WebhookEndpoint {
  return {
    id: endpoint.id,
    url: endpoint.url,
    active: endpoint.active,
    created_at: formatTimestamp(endpoint.createdAt, settings.unspecified.timestamps),
  }
}

async function vetForRegistration(
  { settings }: Context,
  delivery: DeliveryService,
  url: unknown,
): Promise<void> {
  if (typeof url !== 'string' || url === '')
    throw invalid('url', 'url takes the address that events are sent to.')
  const unresolved = settings.unspecified.unresolvableHost === 'accepted' ? 'accept' : 'refuse'
  // Loaded with the first registration: a start costs less without the table of all address ranges.
  const { AddressRefusedError, vetUrl } = await import('../delivery/vet-target.ts')
  try {
    await vetUrl(url, delivery.addresses, unresolved)
  } catch (error) {
    if (error instanceof AddressRefusedError || error instanceof HostNotResolvedError) {
      throw invalid('url', error.message)
    }
    throw error
  }
}

function refuseOneTooMany({ state, settings }: Context, form: FormRecord): void {
  const { webhooksPerForm } = settings.limits
  if (state.endpoints.countOfForm(form.id) >= webhooksPerForm) {
    const message = `A form takes at most ${webhooksPerForm} webhook endpoints: delete one first.`
    throw new ServiceError(
      settings.unspecified.eleventhEndpoint === '403' ? 'forbidden' : 'validation_failed',
      message,
    )
  }
  const plan = state.people.workspace(form.workspaceId)?.plan
  const cap = plan === undefined ? 0 : PLANS[plan].webhooksPerWorkspace
  if (state.endpoints.countOfWorkspace(form.workspaceId) >= cap) {
    throw new ServiceError(
      'validation_failed',
      `The plan takes at most ${cap} webhook endpoints in a workspace.`,
    )
  }
}
