import { globalClock } from '@formwire/internal/clock'
import { isBudgetUnavailableError } from '@formwire/sdk/budget/postgres'
import { StoreError, UnknownFormsError } from '../errors.ts'
import { translated } from '../postgres/errors.ts'
import type { FleetFailure, FleetOptions } from './options.ts'

/** Milliseconds without a failure of the database after which the next one is another outage. */
const QUIET_MS = 60_000

/** Returns an error of the queue or of the rate budget, which are in the database, as one of the database; any other as it is. */
export const databaseError = (error: unknown): unknown =>
  isBudgetUnavailableError(error)
    ? new StoreError(error.message, 'unavailable', { cause: error })
    : translated(error)

/** Reports each outage once when it begins and once when it is over, and the end of each workspace once: each fails many jobs. */
export class Reports {
  readonly #options: Pick<FleetOptions, 'onError' | 'onRecovered'>
  #last: { what: unknown; at: number } | undefined
  /** What was reported to be out: workspaces, and `undefined` for the database. */
  readonly #out = new Set<string | undefined>()
  /** Workspaces whose end was reported: it fails every job that is in progress. */
  readonly #ended = new Set<string | undefined>()

  constructor(options: Pick<FleetOptions, 'onError' | 'onRecovered'>) {
    this.#options = options
  }

  failed({ workspace, error: cause, ended }: FleetFailure): void {
    if (ended && this.#ended.has(workspace)) return
    if (ended) this.#ended.add(workspace)
    const error = databaseError(cause)
    const isOutage = error instanceof StoreError && error.code === 'unavailable'
    if (isOutage || workspace === undefined) {
      const what = isOutage || (Object(error) as { message?: unknown }).message
      const now = globalClock.now()
      const isKnown = this.#last !== undefined && this.#last.what === what && now - this.#last.at < QUIET_MS
      this.#last = { what, at: now }
      if (isKnown) return
    }
    const of = isOutage ? undefined : workspace
    if (!ended && !(error instanceof UnknownFormsError)) this.#out.add(of)
    this.#options.onError?.({ workspace: of, error, ended })
  }

  /** The service of a workspace, or the database, works. */
  recovered(workspace: string | undefined): void {
    if (this.#out.delete(workspace)) this.#options.onRecovered?.(workspace)
  }
}
