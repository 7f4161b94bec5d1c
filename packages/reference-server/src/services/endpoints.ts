import type { CreatedWebhookEndpoint, Deleted, WebhookEndpoint } from '@formwire/contract'
import type { EndpointDetail, EndpointHealth, FormEndpoint, RotatedSecret } from '@formwire/contract/control'
import type { Context } from '../context.ts'
import {
  type DeliveryEntry,
  type DeliveryService,
  eventBody,
  exampleResponse,
  writeEntry,
} from '../delivery/index.ts'
import type { FormRecord } from '../domain/form.ts'
import { formatTimestamp } from '../domain/instant.ts'
import { invalid, notFound, ServiceError, unprocessable, valueOrThrow } from '../domain/service-error.ts'
import { type EndpointRecord, generateSecret } from '../domain/webhook-endpoint.ts'
import { PLANS } from '../policy/plans.ts'
import { summarizeLog } from './delivery-log.ts'
import { findForm } from './forms.ts'
import { refuseUnknownFields } from './input.ts'

export type Endpoints = ReturnType<typeof createEndpoints>

/** Webhook endpoints: the actions of the form's webhooks page and of the API. */
export function createEndpoints(context: Context, delivery: DeliveryService) {
  const find = (formId: string, id: number): EndpointRecord => {
    findForm(context, formId)
    const endpoint = context.state.endpoints.get(id)
    if (endpoint?.formId !== formId) throw notFound()
    return endpoint
  }
  const put = (endpoint: EndpointRecord): WebhookEndpoint => {
    context.state.endpoints.put(endpoint)
    return endpointView(context, endpoint)
  }

  return {
    /** Returns the endpoints in the order in which they were added, without secrets (HOOK-01). */
    list(formId: string): WebhookEndpoint[] {
      const { endpoints } = context.state
      return endpoints.ofForm(findForm(context, formId).id).map((endpoint) => endpointView(context, endpoint))
    },
    /** Returns the endpoints of all forms, newest first. */
    all(): FormEndpoint[] {
      delivery.beforeRead()
      return context.state.endpoints
        .all()
        .reverse()
        .map((endpoint) => ({
          ...endpointView(context, endpoint),
          form_id: endpoint.formId,
          built_in: endpoint.builtIn ?? false,
          health: healthOf(context, endpoint),
          log: summarizeLog(context.state.deliveries.ofEndpoint(endpoint.id, context.clock.now())),
        }))
    },
    /** Returns an endpoint, with the number of its pending deliveries. */
    get(formId: string, id: number): EndpointDetail {
      delivery.beforeRead()
      const endpoint = find(formId, id)
      return {
        ...endpointView(context, endpoint),
        form_id: formId,
        health: healthOf(context, endpoint),
        pending_deliveries: context.state.deliveries.pendingCountOfEndpoint(id),
      }
    },
    /**
     * Adds an endpoint (HOOK-02). Throws 422 field `url` for a URL that breaks the address rules (HOOK-04), and 422 or
     * 403 for too many endpoints (HOOK-06, HOOK-09).
     */
    async create(formId: string, input: { url: string }): Promise<CreatedWebhookEndpoint> {
      findForm(context, formId)
      refuseUnknownFields(input, ['url'])
      const { url } = input
      await checkForRegistration(context, delivery, url)
      // Looked up again and counted only now: endpoints may have been added while DNS was queried.
      const form = findForm(context, formId)
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
    /** Removes an endpoint with its log. Its pending deliveries are dropped (HOOK-03). */
    delete(formId: string, id: number): Deleted {
      find(formId, id)
      context.state.endpoints.delete(id)
      delivery.engine.forget(id)
      return { id, deleted: true }
    },
    /** Pauses an endpoint: nothing new is sent, and pending deliveries fail with a note (HOOK-07). Does nothing when it is paused already. */
    pause(formId: string, id: number): WebhookEndpoint {
      const endpoint = find(formId, id)
      if (!endpoint.active) return endpointView(context, endpoint)
      const paused = put({ ...endpoint, active: false, pausedAt: context.clock.now(), notSent: 0 })
      delivery.engine.pause(id)
      return paused
    },
    /** Sends new responses again (HOOK-07). Responses submitted while paused are never sent. */
    resume: (formId: string, id: number): WebhookEndpoint => put({ ...find(formId, id), active: true }),
    /** Replaces the secret, immediately and also for pending retries (HOOK-08). */
    rotateSecret(formId: string, id: number): RotatedSecret {
      const secret = generateSecret(context.random)
      put({ ...find(formId, id), secret })
      return { id, secret }
    },
    /** Sends a test event, `test.ping` (DLV-02). Throws 422 while the endpoint is paused. */
    test(formId: string, id: number): DeliveryEntry {
      const endpoint = find(formId, id)
      requireActive(endpoint)
      const { settings, clock } = context
      const { title } = findForm(context, formId)
      const response = exampleResponse(clock.now(), settings.unspecified)
      const body = eventBody('test.ping', { id: formId, title }, response, settings.unspecified)
      const ping = delivery.engine.enqueue(endpoint, { event: 'test.ping', responseId: 0, body })
      return writeEntry(ping, settings.unspecified)
    },
  }
}

/** Throws 422 while the endpoint is paused (HOOK-07). */
export function requireActive(endpoint: EndpointRecord): void {
  if (!endpoint.active) throw unprocessable('The endpoint is paused: resume it first.')
}

/** An endpoint as the API shows it, without its secret (HOOK-01). */
function endpointView({ settings }: Context, endpoint: EndpointRecord): WebhookEndpoint {
  return {
    id: endpoint.id,
    url: endpoint.url,
    active: endpoint.active,
    created_at: formatTimestamp(endpoint.createdAt, settings.unspecified.timestamps),
  }
}

/** Returns the health of an endpoint (see `EndpointHealth`). */
function healthOf(
  { settings }: Context,
  { active, pausedAt, notSent = 0, failingSince }: EndpointRecord,
): EndpointHealth {
  const at = (instant: number) => formatTimestamp(instant, settings.unspecified.timestamps)
  if (!active)
    return { state: 'paused', since: pausedAt === undefined ? null : at(pausedAt), not_sent: notSent }
  if (failingSince === undefined) return { state: 'unused', since: null, not_sent: 0 }
  if (failingSince === null) return { state: 'healthy', since: null, not_sent: 0 }
  return { state: 'failing', since: at(failingSince), not_sent: 0 }
}

/** Throws 422 field `url` unless the URL may be registered (HOOK-04). */
async function checkForRegistration(
  { settings }: Context,
  delivery: DeliveryService,
  url: unknown,
): Promise<void> {
  if (typeof url !== 'string' || url === '')
    throw invalid('url', 'url must be the URL that events are sent to.')
  const unresolved = settings.unspecified.unresolvableHost === 'accepted' ? 'accept' : 'refuse'
  // Loaded with the first registration: a server starts faster without the table of address ranges.
  const { checkWebhookUrl } = await import('../delivery/webhook-target.ts')
  valueOrThrow(await checkWebhookUrl(url, delivery.addresses, unresolved))
}

/** Throws when the form or its workspace has too many endpoints (HOOK-06, HOOK-09). */
function refuseOneTooMany({ state, settings }: Context, form: FormRecord): void {
  const { webhooksPerForm } = settings.limits
  if (state.endpoints.countOfForm(form.id) >= webhooksPerForm) {
    const code = settings.unspecified.eleventhEndpoint === '403' ? 'forbidden' : 'validation_failed'
    throw new ServiceError(
      code,
      `The form already has ${webhooksPerForm} webhook endpoints; delete one first.`,
    )
  }
  const plan = state.people.workspaces.get(form.workspaceId)?.plan
  const { webhooksPerWorkspace } = PLANS[plan ?? 'free']
  if (state.endpoints.countOfWorkspace(form.workspaceId) >= webhooksPerWorkspace)
    throw unprocessable(`The plan allows at most ${webhooksPerWorkspace} webhook endpoints per workspace.`)
}
