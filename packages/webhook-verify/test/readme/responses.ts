import type { EventResponse } from '@formwire/webhook-verify'

/** Stands for the reader's own database. */
export const saved: EventResponse[] = []

export async function saveResponse(response: EventResponse): Promise<void> {
  saved.push(response)
}
