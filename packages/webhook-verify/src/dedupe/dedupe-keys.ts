import { WebhookVerificationError } from '../errors.ts'
import type { VerifiedEvent } from '../event.ts'
import { verificationOf } from '../verification.ts'

/** What makes two deliveries the same. */
export type DedupeBy = 'signed' | 'delivery'

/**
 * The keys under which a delivery is claimed; one that is known makes it a duplicate.
 *
 * `signed`: event, form and response id, all covered by the signature. A replay from the app is the same response and
 * so a duplicate. A `test.ping` has always response id 0 and nothing signed to tell two apart but its signature, and a
 * retry signs anew: so its delivery id (which finds the retry) and its signature (which finds a captured ping sent
 * again under another id) both count.
 *
 * `delivery`: the delivery id, for who wants replays from the app handled again. It is not signed: whoever captured a
 * delivery can have it handled again, within the tolerance, under another id.
 * @throws WebhookVerificationError code "invalid_option" for an event without anything to recognise it by.
 */
export function dedupeKeys(event: VerifiedEvent, by: DedupeBy): string[] {
  if (by === 'delivery' && event.deliveryId !== null) return [`delivery:${event.deliveryId}`]
  const formId = idOf(event.form)
  const responseId = idOf(event.response)
  if (formId !== undefined && responseId !== undefined && responseId !== 0) {
    return [`${event.type}:${formId}:${responseId}`]
  }
  // The braces keep both keys in one slot of a Redis cluster.
  const scope = `{${event.type}:${formId ?? ''}}`
  const keys: string[] = []
  if (event.deliveryId !== null) keys.push(`${scope}:delivery:${event.deliveryId}`)
  // Absent on an event that travelled through a queue.
  const signature = verificationOf(event)?.signature
  if (signature !== undefined) keys.push(`${scope}:signature:${signature}`)
  if (keys.length > 0) return keys
  throw new WebhookVerificationError(
    'invalid_option',
    `A ${JSON.stringify(event.type)} without response id, delivery id and verification cannot be told from others.`,
  )
}

function idOf(part: unknown): string | number | undefined {
  if (typeof part !== 'object' || part === null || !('id' in part)) return undefined
  return typeof part.id === 'string' || typeof part.id === 'number' ? part.id : undefined
}
