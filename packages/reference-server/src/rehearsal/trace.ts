import type { RehearsalKind } from '@formwire/internal/rehearsal-kinds'

/** Something that happened in a run. */
export interface TraceEntry {
  readonly at_ms: number
  readonly kind: RehearsalKind | 'timestamps' | 'submit' | 'attempt' | 'answer' | 'end' | 'start'
  /** A response that it is about. */
  readonly responseId?: number
  readonly text: string
}

/** Adds what has happened in a run, in order. */
export type Trace = (kind: TraceEntry['kind'], text: string, responseId?: number) => void
