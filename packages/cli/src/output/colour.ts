import { toneOf } from '@formwire/internal/status-tone'
import { type Pen, TONE_PENS } from './pens.ts'

/** Returns the pen of a status; undefined for one that a later version of the API added (ENV-04). */
export function statusPen(status: string): Pen | undefined {
  const tone = toneOf(status)
  return tone && TONE_PENS[tone]
}
