import type { SeedForm, SeedResponse, SeedSource } from '../../seed/format.ts'
import type { PulledResponse } from '../lines.ts'
import { FormTally } from '../tally.ts'

type Status = 'submitted' | 'in_progress'

/** What a seed has of the responses, or of the drafts, of a form. */
interface Part {
  /** When they were started, in the time of the seed, by id. */
  readonly started: ReadonlyMap<number, number>
  /** Ids that the service has not shown yet. */
  readonly left: Set<number>
  /** When the oldest one was submitted or saved, in the time of the seed. */
  readonly oldest: number
}

/** A form of a seed, and how much of it is read from its service: if only some responses were pulled, those and newer ones. */
export class Coverage {
  readonly form: SeedForm
  /** Tallies the responses of the service. */
  readonly tally: FormTally
  /** Undefined for a status of which the seed has everything, or everything since a time that the service is asked for. */
  readonly #parts: Readonly<Record<Status, Part | undefined>>
  /** By how much the seed's times were moved; unknown until the service shows a response that the seed has. */
  #shift: number | undefined
  #isPast = false

  constructor(form: SeedForm, source: SeedSource | undefined) {
    const { limit, since, shifted = false } = source ?? {}
    const { id = '', responses = [] } = form
    const partOf = (status: Status): Part | undefined => {
      const rows = responses.filter((one) => (one.status ?? 'submitted') === status)
      if (!(shifted && since !== undefined) && (limit === undefined || rows.length < limit)) return undefined
      const started = new Map(rows.map((row) => [row.id ?? 0, Date.parse(row.started_at ?? '')]))
      const oldest = rows.reduce((least, row) => Math.min(least, placeOf(row)), Number.POSITIVE_INFINITY)
      return { started, left: new Set(started.keys()), oldest }
    }
    this.form = form
    this.tally = new FormTally(id)
    this.#parts = { submitted: partOf('submitted'), in_progress: partOf('in_progress') }
    this.#shift = shifted ? undefined : 0
  }

  /** Takes a response of the service. One that is older than those of the seed shows nothing that has changed. */
  add(row: PulledResponse): void {
    const { id, status = 'submitted', started_at: startedAt = '' } = row
    const part = this.#parts[status]
    const started = part?.started.get(id)
    if (started !== undefined) {
      const shift = started - Date.parse(startedAt)
      if (!Number.isNaN(shift)) this.#shift ??= shift
    } else if (part?.left.size === 0) return
    else if (part && this.#shift !== undefined) {
      const place = placeOf(row) + this.#shift
      if (place < part.oldest && status === 'submitted') this.#isPast = true
      if (place <= part.oldest) return
    }
    this.tally.add(row)
    // A draft of the seed may be a response now.
    for (const one of Object.values(this.#parts)) one?.left.delete(id)
  }

  /** Whether the service has shown everything that the seed has. */
  isEnough(status: Status): boolean {
    const part = this.#parts[status]
    return part !== undefined && (part.left.size === 0 || (status === 'submitted' && this.#isPast))
  }
}

/** What a response is listed by: when it was submitted, or a draft last saved, which some services do not say. An id is no time: it is given when a response is started. */
function placeOf(row: Pick<SeedResponse, 'started_at' | 'submitted_at' | 'duration_sec'>): number {
  const { started_at: startedAt = '', submitted_at: submittedAt, duration_sec: seconds = 0 } = row
  return submittedAt === undefined ? Date.parse(startedAt) + seconds * 1000 : Date.parse(submittedAt)
}
