import type { RehearsalKind } from '@formwire/internal/rehearsal-kinds'

/** Something that happened in a run. */
export interface TraceEntry {
  readonly at_ms: number
  readonly kind: RehearsalKind | 'timestamps' | 'submit' | 'attempt' | 'answer' | 'end' | 'start'
  /** A response that it is about. */
  readonly responseId?: number
  readonly text: string
}

/** What happened in a run, in order. */
export class Trace {
  readonly entries: TraceEntry[] = []
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  add(kind: TraceEntry['kind'], text: string, responseId?: number): void {
    const at_ms = Math.round(this.#now())
    this.entries.push({ at_ms, kind, text, ...(responseId !== undefined && { responseId }) })
  }
}
