import type { SeedForm, SeedSource } from '../../seed/format.ts'
import type { PulledResponse } from '../lines.ts'
import { FormTally } from '../tally.ts'

type Status = 'submitted' | 'in_progress'

/** What a seed has of the responses, or of the drafts, of a form. */
interface Part {
  /** Ids that the service has not shown yet. */
  readonly left: Set<number>
  /** Smallest id. Responses with smaller ones are not in the seed, and show nothing that has changed. */
  readonly first: number
}

/** A form of a seed, and how much of it is read from its service: if only some responses were pulled, those and newer ones. */
export class Coverage {
  readonly form: SeedForm
  /** Tallies the responses of the service. */
  readonly tally: FormTally
  /** Undefined for a status of which the seed has everything, or everything since a time that the service is asked for. */
  readonly #parts: Readonly<Record<Status, Part | undefined>>
  /** When the oldest response of the seed was submitted; unknown if times were moved. */
  readonly #oldest: number
  #isPast = false

  constructor(form: SeedForm, source: SeedSource | undefined) {
    const { limit, since, shifted = false } = source ?? {}
    const { id = '', responses = [] } = form
    const partOf = (status: Status): Part | undefined => {
      const ids = responses
        .filter((one) => (one.status ?? 'submitted') === status)
        .map(({ id: one = 0 }) => one)
      if (!(shifted && since !== undefined) && (limit === undefined || ids.length < limit)) return undefined
      return {
        left: new Set(ids),
        first: ids.reduce((least, one) => Math.min(least, one), Number.MAX_SAFE_INTEGER),
      }
    }
    this.form = form
    this.tally = new FormTally(id)
    this.#parts = { submitted: partOf('submitted'), in_progress: partOf('in_progress') }
    const [oldest] = responses.filter(({ status }) => status !== 'in_progress')
    this.#oldest = shifted ? Number.NEGATIVE_INFINITY : Date.parse(oldest?.submitted_at ?? '')
  }

  /** Takes a response of the service. */
  add(row: PulledResponse): void {
    const { id, status = 'submitted', submitted_at: submittedAt = '' } = row
    if (id < (this.#parts[status]?.first ?? 0)) {
      if (status === 'submitted' && Date.parse(submittedAt) < this.#oldest) this.#isPast = true
      return
    }
    this.tally.add(row)
    // A draft of the seed may be a response now.
    for (const part of Object.values(this.#parts)) part?.left.delete(id)
  }

  /** Whether the service has shown everything that the seed has. */
  isEnough(status: Status): boolean {
    const part = this.#parts[status]
    return part !== undefined && (part.left.size === 0 || (status === 'submitted' && this.#isPast))
  }
}
