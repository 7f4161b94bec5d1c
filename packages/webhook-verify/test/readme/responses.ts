import type { EventResponse } from '@formwire/webhook-verify'

/** Replaces the database of the reader. */
export const saved: EventResponse[] = []

/** Saved examples import it. @public */
export async function saveResponse(response: EventResponse): Promise<void> {
  saved.push(response)
}
