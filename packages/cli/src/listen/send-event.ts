import { randomUUID } from 'node:crypto'
import { parseObject } from '@formwire/internal/json'
import { tryVerifyWebhook } from '@formwire/webhook-verify'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure, failed, usage } from '../failure.ts'
import { asClause } from '../service-message.ts'
import { forwardedHeaders, signedDelivery } from './delivery.ts'
import { forward, statusAdvice } from './handler.ts'
import { isAccepted } from './received-delivery.ts'

/** An event, and the handler that it is sent to. */
export interface EventToSend {
  body: Buffer
  /** Value of the event header. @default the event of the body */
  event: string | null
  /** What the body was read from, for errors. */
  source: string
  target: string
  headers: Readonly<Record<string, string>> | undefined
  insecure: boolean | undefined
}

/**
 * Sends the bytes with a new delivery id, the current timestamp and a signature, and prints the outcome.
 * @throws Failure exit 2 if the body is not an event, exit 6 without a response, exit 1 for a status other than 2xx
 */
export async function sendEvent(context: Context, secret: string, sending: EventToSend): Promise<void> {
  const { runtime, output } = context
  const { body, source, target, headers = {}, insecure = false } = sending
  for (const value of Object.values(headers)) context.hide(value)
  const now = runtime.clock.now()
  const deliveryId = randomUUID()
  const { event: type } = parseObject(body.toString()) ?? {}
  const event = sending.event ?? (typeof type === 'string' ? type : null)
  const delivery = signedDelivery({ body, event, deliveryId }, secret, now)
  const verified = tryVerifyWebhook({ secret, headers: delivery.rawHeaders, body, now })
  if (!verified.ok)
    throw usage(`${source} is not the body of an event: ${asClause(verified.error.message)}`, EVENT_HINT)
  const response = await forward(
    { url: target, headers: { ...headers, ...forwardedHeaders(delivery.rawHeaders) }, body, insecure },
    () => runtime.clock.now(),
    `the handler at ${new URL(target).origin}`,
  )
  if (response.status === null) {
    throw new Failure(response.reason, {
      exitCode: EXIT.unreachable,
      code: 'unreachable',
      hint: 'check that the handler is running, and check --forward-to',
    })
  }
  const { status } = response
  const duration_ms = Math.round(response.durationMs)
  if (output.json)
    await output.document({ delivery_id: deliveryId, event: verified.event.type, status, duration_ms })
  else if (output.isTerminal)
    await output.line(`delivery ${deliveryId}: HTTP ${status} after ${duration_ms} ms`)
  else await output.line([deliveryId, status, `${duration_ms} ms`].join('\t'))
  if (isAccepted(status)) return
  const hint = statusAdvice(status, 'the secret that signed it', false)
  throw failed('handler_failed', `the handler responded with ${status}`, hint)
}

const EVENT_HINT = 'an event is {"event": …, "form": {…}, "response": {…}}'
