import { answersOf, type Formwire } from '@formwire/sdk'
import type { GuestFeedback } from './generated/forms.ts'

/** How the guests of one kind of room rate their stay. */
export interface RoomSummary {
  guests: number
  /** Mean likelihood to recommend the house, 0 to 10. */
  meanNps: number
  /** Remarks of guests who are not likely to. */
  complaints: string[]
}

/** Summarizes the responses of the form by room. Guests who did not choose a room are counted under `other`. */
export async function summarize(formwire: Formwire, formId: string): Promise<Record<string, RoomSummary>> {
  const rooms: Record<string, RoomSummary> = {}
  for await (const response of formwire.responses.list(formId, { per_page: 100 })) {
    const { nps, room, remark } = answersOf<GuestFeedback>(response)
    const name = room?.value.ids[0] ?? 'other'
    const summary = rooms[name] ?? { guests: 0, meanNps: 0, complaints: [] }
    rooms[name] = summary
    summary.guests += 1
    summary.meanNps += (nps.value - summary.meanNps) / summary.guests
    if (nps.value <= 6 && remark) summary.complaints.push(remark.value)
  }
  return rooms
}
