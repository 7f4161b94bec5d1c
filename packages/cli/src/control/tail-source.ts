import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import type { ControlClient } from './client.ts'
import type { Delivery } from './delivery.ts'
import { type FollowEvent, type FollowOptions, followDeliveries } from './follow.ts'

/** Options of a tail: the deliveries logged since an instant, then every change. */
export interface TailOptions extends FollowOptions {
  /** Milliseconds since the epoch. @default the tail starts now */
  since?: number | undefined
}

/**
 * Returns the backlog, oldest first, then every change. Skips a delivery that the stream repeats unchanged.
 * @throws Failure exit 3 for an unknown form or endpoint, whose stream would be silent
 */
export async function openTail(
  control: ControlClient,
  options: TailOptions,
): Promise<AsyncGenerator<FollowEvent>> {
  if (options.formId !== undefined || options.webhookId !== undefined) await endpointsOf(control, options)
  return tail(control, options)
}

async function* tail(control: ControlClient, options: TailOptions): AsyncGenerator<FollowEvent> {
  const seen = new Map<string, string>()
  let since = options.since
  for await (const event of followDeliveries(control, options)) {
    const repeated = event.type === 'delivery' && seen.get(event.delivery.id) === stateOf(event.delivery)
    if (!repeated) yield event
    if (event.type !== 'connected' || since === undefined) continue
    // Read once the stream is open, so that no change is missed in between.
    for (const delivery of await backlog(control, options, since)) {
      seen.set(delivery.id, stateOf(delivery))
      yield { type: 'delivery', delivery }
    }
    since = undefined
  }
}

const stateOf = (delivery: Delivery): string => `${delivery.status} ${delivery.attempts}`

async function backlog(control: ControlClient, options: TailOptions, since: number): Promise<Delivery[]> {
  const deliveries: Delivery[] = []
  for (const { formId, webhookId } of await endpointsOf(control, options))
    deliveries.push(...(await control.deliveries(formId, webhookId)).toReversed())
  return deliveries
    .filter((delivery) => Date.parse(delivery.created_at) >= since)
    .sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
}

/** Returns the endpoints that are followed. @throws Failure exit 3 if a form or endpoint is given that does not exist */
async function endpointsOf(
  control: ControlClient,
  { formId: onlyForm, webhookId: onlyWebhook }: Pick<TailOptions, 'formId' | 'webhookId'>,
): Promise<{ formId: string; webhookId: number }[]> {
  const formIds = onlyForm === undefined ? (await control.forms()).map(({ id }) => id) : [onlyForm]
  const endpoints = []
  for (const formId of formIds) {
    for (const webhookId of await control.webhookIds(formId))
      if (onlyWebhook === undefined || webhookId === onlyWebhook) endpoints.push({ formId, webhookId })
  }
  if (onlyWebhook === undefined || endpoints.length > 0) return endpoints
  throw new Failure(
    `webhook endpoint ${onlyWebhook}${onlyForm === undefined ? '' : ` of form ${onlyForm}`} not found`,
    {
      exitCode: EXIT.notFound,
      code: 'not_found',
      hint: `see formwire webhooks list ${onlyForm ?? 'FORM'}`,
    },
  )
}
