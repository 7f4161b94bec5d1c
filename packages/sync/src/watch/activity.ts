import { type Formwire, isRateLimitError } from '@formwire/sdk'
import { StoreError } from '../errors.ts'
import { failureCode } from '../round/errors.ts'
import type { RowChange } from '../store/scope.ts'
import { iso } from '../store/statements.ts'

/** What a synchronization does in this process, for health checks and metrics. */
export interface RunStatus {
  /** Id of the key's workspace; null before the service has named it. */
  workspace_id: string | null
  /** Whether the first round has ended; of a worker of a fleet, whether it has looked into the queue. */
  is_started: boolean
  /** Rounds that ended so far. The first one ends when each form was read once, unless the service failed for it. */
  rounds: number
  /** When the latest round ended, in ISO 8601; null before the first. */
  round_ended_at: string | null
  /** When a round last left nothing to read, in ISO 8601; null before the first that did. */
  up_to_date_at: string | null
  /**
   * When the work should have moved on at the latest, in ISO 8601; null before it begins and after its end. Each page, pause and round
   * moves it: an instant in the past means that something hangs.
   */
  expected_by: string | null
  /** Code of the error because of which all work pauses or has ended; null while the service and the database respond. */
  outage: string | null
  /** Forms that the service fails for at the moment. */
  failing_forms: number
  /** Errors so far by their code: those of the service, the name of errors without one, and `database_` with the code of a `StoreError`. */
  errors: Readonly<Record<string, number>>
  /** Changes of rows so far. */
  changes: Readonly<Record<RowChange['kind'], number>>
  requests: {
    /** Requests of the client so far, retries included. */
    sent: number
    /** Requests that the rate budget allows to start now; null without a budget. */
    free: number | null
  }
}

/** Milliseconds without any movement that are not unusual: a request with its retries, or the lock of another program. */
const PATIENCE_MS = 300_000

/** Codes that are counted apart; a service may send any. */
const MAX_CODES = 50

/** Observes `run()` and `once()`. */
export class Activity {
  workspaceId: string | undefined
  readonly #now: () => number
  readonly #budget: Pick<Formwire['budget'], 'sent' | 'remaining'>
  #isStarted = false
  #rounds = 0
  #endedAt: number | undefined
  #upToDateAt: number | undefined
  #expectedBy: number | undefined
  #outage: string | undefined
  readonly #failing = new Set<string>()
  readonly #errors = new Map<string, number>()
  readonly #changes = { inserted: 0, updated: 0, deleted: 0 }

  constructor(now: () => number, budget: Pick<Formwire['budget'], 'sent' | 'remaining'>) {
    this.#now = now
    this.#budget = budget
  }

  /** The work begins or goes on. @param pauseMs until then, nothing moves */
  moves(pauseMs = 0): void {
    this.#expectedBy = this.#now() + pauseMs + PATIENCE_MS
  }

  /** A worker of a fleet has looked into the queue. */
  starts(): void {
    this.#isStarted = true
  }

  /** An outage is over, as far as is known. */
  recovers(): void {
    this.#outage = undefined
  }

  /** Counts an error. On its own, it stops nothing. */
  notes(error: unknown): void {
    const code = codeOf(error)
    const counted = this.#errors.has(code) || this.#errors.size < MAX_CODES ? code : 'other'
    this.#errors.set(counted, (this.#errors.get(counted) ?? 0) + 1)
  }

  /** Rows were written. */
  counts(changes: readonly RowChange[]): void {
    for (const { kind } of changes) this.#changes[kind] += 1
  }

  /** Rows were read from the service and written to the database. */
  wrote(changes: readonly RowChange[]): void {
    this.counts(changes)
    this.#outage = undefined
    this.moves()
  }

  /** Everything pauses because of an error. */
  pauses(error: unknown, pauseMs: number): void {
    this.notes(error)
    this.#outage = isRateLimitError(error) ? undefined : codeOf(error)
    this.moves(pauseMs)
  }

  /** The service fails for a form. */
  fails(formId: string, error: unknown): void {
    this.notes(error)
    this.#failing.add(formId)
    this.moves()
  }

  /** A form was read, or is lost. */
  reads(formId: string): void {
    this.#failing.delete(formId)
    this.#outage = undefined
    this.moves()
  }

  /** A round ends. @param isUpToDate whether it left nothing to read */
  endsRound(isUpToDate: boolean): void {
    this.#rounds += 1
    this.#isStarted = true
    this.#outage = undefined
    this.#endedAt = this.#now()
    if (isUpToDate) this.#upToDateAt = this.#endedAt
    this.moves()
  }

  /** The work ends. */
  ends(error?: unknown): void {
    if (error !== undefined) this.notes(error)
    this.#outage = error === undefined ? undefined : codeOf(error)
    this.#expectedBy = undefined
  }

  status(): RunStatus {
    const { sent, remaining } = this.#budget
    return {
      workspace_id: this.workspaceId ?? null,
      is_started: this.#isStarted,
      rounds: this.#rounds,
      round_ended_at: instant(this.#endedAt),
      up_to_date_at: instant(this.#upToDateAt),
      expected_by: instant(this.#expectedBy),
      outage: this.#outage ?? null,
      failing_forms: this.#failing.size,
      errors: Object.fromEntries(this.#errors),
      changes: { ...this.#changes },
      requests: { sent, free: Number.isFinite(remaining) ? Math.max(0, Math.floor(remaining)) : null },
    }
  }
}

function instant(ms: number | undefined): string | null {
  return ms === undefined ? null : iso(ms)
}

export function codeOf(error: unknown): string {
  return error instanceof StoreError ? `database_${error.code}` : failureCode(error)
}
