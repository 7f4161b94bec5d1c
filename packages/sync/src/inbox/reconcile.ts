import { RETRY_DELAYS_MS } from '@formwire/contract'
import { memoryCheckpoint } from '@formwire/sdk'
import type { Intake } from './intake.ts'
import type { InboxSettings } from './options.ts'

/** A response whose delivery was not acknowledged. */
export interface UndeliveredResponse {
  form_id: string
  id: number
  submitted_at: string | null
}

/** What webhooks brought and what they lost. */
export interface Reconciliation {
  /** Responses that exist and were submitted since the given instant. */
  checked: number
  /** Responses of which the inbox acknowledged a delivery. */
  delivered: number
  /** Responses without an acknowledged delivery for which the service no longer tries. Oldest first in each form. */
  lost: UndeliveredResponse[]
  /** Responses without an acknowledged delivery so far, which the service may still deliver: submitted within the last 14.6 hours. */
  pending: UndeliveredResponse[]
}

/** Time after which the service gives a delivery up (DLV-06), with an hour for attempts that take long. */
const RETRIES_MS = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 3_600_000)

/** Compares what the service has with the deliveries that were acknowledged. */
export async function reconcile(
  { formwire, per_page, signal, clock }: InboxSettings,
  intake: Pick<Intake, 'wasDelivered'>,
  formIds: readonly string[],
  since: string | Date,
): Promise<Reconciliation> {
  const result: Reconciliation = { checked: 0, delivered: 0, lost: [], pending: [] }
  for (const formId of formIds) {
    // A poll, since pages of a list shift while responses are submitted and deleted.
    const checkpoint = memoryCheckpoint()
    const options = { once: true, since, checkpoint, per_page, signal }
    for await (const { id, submitted_at } of formwire.responses.poll(formId, options)) {
      result.checked += 1
      if (await intake.wasDelivered(formId, id)) {
        result.delivered += 1
        continue
      }
      const age = clock.now() - Date.parse(String(submitted_at))
      const list = age > RETRIES_MS ? result.lost : result.pending
      list.push({ form_id: formId, id, submitted_at })
    }
    signal?.throwIfAborted()
  }
  return result
}
