import { isObject } from '@formwire/internal/json'
import { WebhookVerificationError } from './errors.ts'
import type { VerifiedEvent } from './event.ts'
import type { DeliveryHeaders } from './headers.ts'
import { rememberVerification } from './verification.ts'

/**
 * Parses a body whose signature is valid. The type is read from the signed body; the event header is not signed and
 * must not contradict it.
 *
 * The signature proves who wrote the body, so only the fields this library and every handler rely on are validated: the
 * event name and, for the documented events, the form id, the response id and the list of answers. Unknown fields are
 * ignored (ENV-04).
 * @throws WebhookVerificationError code "invalid_json", "unexpected_payload" or "event_mismatch".
 */
export function parseEvent(text: string, headers: DeliveryHeaders, secretIndex: number): VerifiedEvent {
  const payload = parseObject(text)
  const type = payload.event
  if (typeof type !== 'string' || type === '') throw unexpected('event', 'a string', type)
  if (headers.event !== undefined && headers.event !== type) {
    throw new WebhookVerificationError(
      'event_mismatch',
      `The event header is ${JSON.stringify(headers.event)}, but the signed body has ${JSON.stringify(type.slice(0, 256))}.`,
    )
  }
  const known = type === 'response.submitted' || type === 'test.ping'
  if (known) checkFormAndResponse(payload)
  const event = {
    type,
    deliveryId: headers.deliveryId ?? null,
    timestamp: new Date(headers.timestampSeconds * 1000),
    form: payload.form,
    response: payload.response,
  }
  if (!known) Object.assign(event, { payload })
  rememberVerification(event, { secretIndex, signature: headers.signature })
  return event as unknown as VerifiedEvent
}

/** Drops the parser's message, since it quotes the body. */
function parseObject(text: string): Record<string, unknown> {
  let payload: unknown
  try {
    payload = JSON.parse(text)
  } catch {
    throw new WebhookVerificationError('invalid_json', `The body (${text.length} characters) is not JSON.`)
  }
  if (isObject(payload)) return payload
  throw unexpected('', 'a JSON object', payload)
}

function checkFormAndResponse(payload: Record<string, unknown>): void {
  const { form, response } = payload
  if (!isObject(form)) throw unexpected('form', 'an object', form)
  if (typeof form.id !== 'string') throw unexpected('form.id', 'a string', form.id)
  if (!isObject(response)) throw unexpected('response', 'an object', response)
  if (!Number.isSafeInteger(response.id)) throw unexpected('response.id', 'an integer', response.id)
  if (!Array.isArray(response.answers)) throw unexpected('response.answers', 'an array', response.answers)
}

function unexpected(field: string, wanted: string, value: unknown): WebhookVerificationError {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
  const what = field === '' ? 'The body' : `The body's "${field}"`
  return new WebhookVerificationError('unexpected_payload', `${what} must be ${wanted}, got ${kind}.`)
}
