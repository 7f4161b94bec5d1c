import { TONE_PENS } from '../output/pens.ts'
import { countOf, grouped } from '../output/progress.ts'
import type { Span } from '../output/table.ts'

/** What a live view shows: `delivery` and `deliveries`. */
export type Nouns = readonly [one: string, many: string]

/** What a live view has shown so far. */
export interface Counts {
  /** Deliveries, or other things. */
  all: number
  /** Rows that are one attempt of a delivery each; 0 where a row is a delivery. */
  attempts: number
  /** Deliveries that wait for an attempt. */
  pending: number
  /** Deliveries whose last attempt failed. */
  bad: number
}

/** Returns the counts in words: `12 deliveries in 15 attempts · 1 pending · 3 failed`. */
export function countSpans({ all, attempts, pending, bad }: Counts, nouns: Nouns): Span[] {
  const inAttempts = attempts > all ? ` in ${grouped(attempts)} attempts` : ''
  const spans: Span[] = [[`${countOf(all, ...nouns)}${inAttempts}`]]
  if (pending > 0) spans.push([' · '], [`${grouped(pending)} pending`, TONE_PENS.wait])
  if (bad > 0) spans.push([' · '], [`${grouped(bad)} failed`, TONE_PENS.bad])
  return spans
}

/** As {@link countSpans}, in one text. */
export const countsText = (counts: Counts, nouns: Nouns): string =>
  countSpans(counts, nouns)
    .map(([text]) => text)
    .join('')

/** Returns a function that has `run` called soon: at most once per interval, and never before what runs now has finished. */
export function paced(run: () => void, intervalMs: number): () => void {
  let ranAt = Number.NEGATIVE_INFINITY
  let isDue = false
  const runNow = (): void => {
    isDue = false
    ranAt = performance.now()
    run()
  }
  return () => {
    if (!isDue) setTimeout(runNow, Math.max(0, ranAt + intervalMs - performance.now()))
    isDue = true
  }
}
