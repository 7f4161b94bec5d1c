import { invalidOption } from '../verification/check-options.ts'
import type { VerifiedEvent } from '../verification/event.ts'
import { verificationOf } from '../verification/verification.ts'

/** What makes two deliveries the same. */
export type DedupeBy = 'signed' | 'delivery'

/**
 * Returns the keys under which a delivery is claimed. A delivery is a duplicate if any of them is known.
 *
 * `signed`: event, form and response id, all covered by the signature. A replay from the app has the same response and
 * is a duplicate. Every `test.ping` has response id 0, so it has two keys: its delivery id, which identifies a retry, and
 * its signature, which identifies a captured ping sent again under another id.
 *
 * `delivery`: the delivery id, so that replays from the app are handled again. It is not signed: an attacker can resend a
 * captured delivery under another id within the tolerance, and it is handled again.
 * @throws WebhookVerificationError code "invalid_option" for an event without any of these.
 */
export function dedupeKeys(event: VerifiedEvent, by: DedupeBy): string[] {
  if (by === 'delivery' && event.deliveryId !== null) return [`delivery:${event.deliveryId}`]
  const formId = idOf(event.form)
  const responseId = idOf(event.response)
  if (formId !== undefined && responseId !== undefined && responseId !== 0) {
    return [`${event.type}:${formId}:${responseId}`]
  }
  // The braces put both keys in one slot of a Redis cluster.
  const scope = `{${event.type}:${formId ?? ''}}`
  const keys: string[] = []
  if (event.deliveryId !== null) keys.push(`${scope}:delivery:${event.deliveryId}`)
  // Missing on an event from a queue.
  const signature = verificationOf(event)?.signature
  if (signature !== undefined) keys.push(`${scope}:signature:${signature}`)
  if (keys.length > 0) return keys
  throw invalidOption(
    `Cannot dedupe a ${JSON.stringify(event.type)} event without response id, delivery id and signature; pass the event that the verifier returned.`,
  )
}

/** Events of later versions may lack a form or response, or have a different shape. */
function idOf(part: unknown): string | number | undefined {
  const id = (part as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
