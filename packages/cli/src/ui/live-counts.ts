import { type Pen, TONE_PENS } from '../output/pens.ts'
import { grouped } from '../output/progress.ts'

/** What a live view has shown so far. */
export interface Counts {
  /** Deliveries. */
  all: number
  /** Rows that are one attempt of a delivery each; 0 where a row is a delivery. */
  attempts: number
  /** Deliveries that wait for an attempt. */
  pending: number
  /** Deliveries whose last attempt failed. */
  bad: number
}

/** A text in one style. */
export type Span = readonly [text: string, pen?: Pen | undefined]

/** Returns the counts in words: `12 deliveries in 15 attempts · 1 pending · 3 failed`. */
export function countSpans({ all, attempts, pending, bad }: Counts): Span[] {
  const inAttempts = attempts > all ? ` in ${grouped(attempts)} attempts` : ''
  const spans: Span[] = [[`${grouped(all)} ${all === 1 ? 'delivery' : 'deliveries'}${inAttempts}`]]
  if (pending > 0) spans.push([' · '], [`${grouped(pending)} pending`, TONE_PENS.wait])
  if (bad > 0) spans.push([' · '], [`${grouped(bad)} failed`, TONE_PENS.bad])
  return spans
}

/** As {@link countSpans}, in one text. */
export const countsText = (counts: Counts): string =>
  countSpans(counts)
    .map(([text]) => text)
    .join('')
