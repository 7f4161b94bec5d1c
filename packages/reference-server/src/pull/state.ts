import type { SeedWebhook } from '../seed/format.ts'
import type { PullPosition } from './client.ts'
import type { PulledForm, PulledOwner, PullLine } from './lines.ts'
import { FormTally } from './tally.ts'

/** A form whose responses have been read. */
export interface ReadForm {
  readonly form: PulledForm
  /** Number of submitted responses that were read. */
  readonly count: number
  /** Number of responses in the list when it was first read. */
  readonly listed: number
  readonly tally: FormTally
  /** Handles of the lines with responses, newest first. */
  readonly rows: number[]
  readonly drafts: number[]
  /** Drafts that were submitted while the form was read: left out, since they are among the responses. */
  readonly submittedDrafts: Set<number>
  webhooks: SeedWebhook[]
  /** What the form counts, where the list has another number of responses. */
  counted: number | null
}

/** Where the reading of a form is. */
export interface Progress extends ReadForm {
  count: number
  listed: number
  draftIds: Set<number>
  /** The last response that was read. */
  position: PullPosition | undefined
  isOver: boolean
  /** Whether the service does not show it any more, although it is not over. */
  isGone: boolean
}

/** What the lines of a pull, those of earlier runs included, say about its state. */
export class PullState {
  owner: PulledOwner | undefined
  /** Ids of all responses and drafts that were read. */
  readonly ids = new IdSet()
  /** Ids of all endpoints that were read. */
  readonly webhookIds = new Set<number | undefined>()
  #forms = new Map<string, Progress>()
  #missing: readonly string[] = []

  /** The forms that the service shows, in the order of the list. */
  get forms(): Progress[] {
    return [...this.#forms.values()].filter(({ isGone }) => !isGone)
  }

  /** The forms that it does not show. */
  get missing(): string[] {
    const gone = [...this.#forms.values()].filter(({ isGone }) => isGone)
    return [...new Set([...this.#missing, ...gone.map(({ form }) => form.id)])]
  }

  /** Brings the state up to date with a line. */
  take(line: PullLine, handle: number): void {
    if (line.kind === 'owner') this.owner = line.owner
    else if (line.kind === 'forms') {
      this.#missing = line.missing
      const known = this.#forms
      this.#forms = new Map()
      for (const form of line.forms) {
        const progress = known.get(form.id) ?? progressOf(form)
        progress.isGone = false
        this.#forms.set(form.id, progress)
      }
      for (const [id, progress] of known) {
        if (this.#forms.has(id)) continue
        // What was read whole stays, as in a run that is not interrupted.
        progress.isGone = !progress.isOver
        this.#forms.set(id, progress)
      }
    } else {
      const progress = this.#forms.get(line.form)
      if (!progress) return
      if (line.kind === 'gone') progress.isGone = true
      else if (line.kind === 'end') {
        progress.webhooks = line.webhooks
        for (const { id } of line.webhooks) this.webhookIds.add(id)
        progress.tally.addUnknown(line.unknown)
        progress.counted = line.counted
        progress.isOver = true
      } else this.#takeRows(progress, line, handle)
    }
  }

  #takeRows(progress: Progress, line: PullLine & { kind: 'rows' | 'drafts' }, handle: number): void {
    for (const row of line.rows) {
      progress.tally.add(row)
      this.ids.add(row.id)
    }
    progress.tally.addUnknown(line.unknown)
    if (line.kind === 'drafts') {
      progress.drafts.push(handle)
      for (const { id } of line.rows) progress.draftIds.add(id)
      return
    }
    progress.rows.push(handle)
    progress.count += line.rows.length
    progress.listed = line.listed
    const { instant: since, ids } = line.position
    if (progress.position?.since === since) progress.position.ids.push(...ids)
    else progress.position = { version: 1, since, ids: [...ids] }
    if (progress.draftIds.size === 0) return
    for (const { id } of line.rows) if (progress.draftIds.has(id)) progress.submittedDrafts.add(id)
  }
}

const progressOf = (form: PulledForm): Progress => ({
  form,
  listed: 0,
  tally: new FormTally(form.id, form.unknown),
  rows: [],
  drafts: [],
  submittedDrafts: new Set(),
  webhooks: [],
  counted: null,
  count: 0,
  draftIds: new Set(),
  position: undefined,
  isOver: false,
  isGone: false,
})

/** Ids that share an entry: as many as an integer has bits without its sign. */
const PER_ENTRY = 31

/** A set of positive integers. Those that are near to each other share an entry, so that the ids of a million responses take little memory. */
class IdSet {
  readonly #entries = new Map<number, number>()

  /** Returns false for an id that was there already. */
  add(id: number): boolean {
    if (this.has(id)) return false
    const entry = Math.floor(id / PER_ENTRY)
    this.#entries.set(entry, (this.#entries.get(entry) ?? 0) | (1 << (id % PER_ENTRY)))
    return true
  }

  has(id: number): boolean {
    return ((this.#entries.get(Math.floor(id / PER_ENTRY)) ?? 0) & (1 << (id % PER_ENTRY))) !== 0
  }
}
