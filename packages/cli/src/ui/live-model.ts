import type { Tone } from '@formwire/internal/status-tone'
import { type Cell, type Column, cellText } from '../output/table.ts'
import { redact, safeIndented, safeLine } from '../output/text-safety.ts'
import { widthOf, wrap } from '../output/width.ts'
import { type Counts, countsText, type Nouns, paced } from './live-counts.ts'

/** Rows that are kept; older ones are forgotten. */
export const MAX_ROWS = 500
/** Deliveries that are remembered to count each once. */
const MAX_COUNTED = 10_000
/** Milliseconds between repaints, at least. */
const PAINT_INTERVAL_MS = 50
const NOTE_INDENT = '  '

export interface LiveRow {
  /** Identifies the row: a new row with the same key replaces it. */
  key: string
  /** Texts of the columns. A note has one. */
  cells: readonly Cell[]
  /** Undefined for a status that a later version of the API added. */
  tone: Tone | 'note' | undefined
  /** The delivery of which the row is one attempt. Null: it is not counted. @default the row is a delivery */
  delivery?: string | null
  /** The delivery that the row repeats, set by the model. */
  replayOf?: string
}

/** Returns the lines of an open row for a width. */
export type Details = (columns: number) => readonly string[]

/** What a replay led to. */
export interface Replayed {
  message: string
  /** The row of the copy, and the delivery that it repeats. */
  copy?: { key: string; of: string }
}

/** Actions of keys. */
export interface LiveActions {
  /** Sends the row again. @default there is no such key */
  replay?: ((key: string) => Promise<Replayed>) | undefined
  /** Returns the details of the row. Called again when the row changes while they are open. */
  details(key: string): Promise<Details>
  /** Returns what the keys do, and the notes, for a width. */
  help(columns: number, notes: readonly string[]): readonly string[]
  /** Copies the row to the clipboard and resolves to a message. */
  copy(key: string): Promise<string>
  quit(): void
  interrupt(): void
  suspend(): void
}

/** Lines of which some are visible. */
export interface Pane {
  lines: readonly string[]
  /** The first visible line. */
  offset: number
}

const INITIAL = {
  /** Size of the terminal, in characters. */
  size: { columns: 80, rows: 24 },
  mode: 'list' as 'list' | 'filter' | 'details' | 'help',
  filter: '',
  /** Connection status. */
  status: '',
  /** Health of the endpoints. */
  health: '',
  /** Result of the last key. */
  message: '',
  /** What is shown until there are deliveries, and below the keys, such as a new secret. Its secrets are not redacted. */
  notes: [] as readonly string[],
  /** The selected row; undefined for the newest. */
  selected: undefined as string | undefined,
  /** Line of the list on which the selected row stays while others arrive. */
  line: 0,
  open: undefined as { key: string; details: Details; offset: number } | undefined,
  /** The first visible line of what the keys do. */
  helpOffset: 0,
}

type State = typeof INITIAL

export interface LiveSnapshot extends State {
  /** Visible rows, oldest first. */
  rows: readonly LiveRow[]
  counts: Counts
  open: (NonNullable<State['open']> & Pane) | undefined
  /** What the keys do, while that is shown. */
  help: Pane | undefined
  lines: ReturnType<typeof linesOf>
}

/**
 * How many lines each part of the view has. One line stays free, so that the terminal never scrolls. `isWide`: the counts and the
 * health do not fit on one line.
 */
function linesOf({ rows }: State['size'], isWide: boolean) {
  const header = rows < 5 ? 0 : rows < 10 ? 1 : isWide ? 3 : 2
  const heading = rows < 10 ? 0 : 1
  const footer = rows < 5 ? 0 : 2
  return { header, heading, body: Math.max(1, rows - 1 - header - heading - footer), footer }
}

/** The state of a live list, independent of the screen: rows and keys in, snapshots out. */
export class LiveModel {
  readonly counts: Counts = { all: 0, attempts: 0, pending: 0, bad: 0 }
  readonly nouns: Nouns
  readonly #actions: LiveActions
  readonly #rows = new Map<string, LiveRow>()
  /** The tone of the latest row of each delivery that was counted, latest last. */
  readonly #counted = new Map<string, LiveRow['tone']>()
  /** Rows that are copies, and the deliveries that they repeat. */
  readonly #copies = new Map<string, string>()
  #secrets: readonly string[] = []
  #remarks = 0
  #reads = 0
  readonly #state: State = { ...INITIAL }
  #snapshot: LiveSnapshot | undefined
  #onChange: () => void = () => undefined

  constructor(nouns: Nouns, actions: LiveActions) {
    this.nouns = nouns
    this.#actions = actions
  }

  /** Whether a key sends a row again. */
  get canReplay(): boolean {
    return this.#actions.replay !== undefined
  }

  /** Calls the listener soon after changes, and never while a delivery is handled. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#onChange = paced(listener, PAINT_INTERVAL_MS)
    return () => {
      this.#onChange = () => undefined
    }
  }

  readonly snapshot = (): LiveSnapshot => {
    this.#snapshot ??= this.#newSnapshot()
    return this.#snapshot
  }

  /** Redacts these secrets, also those that are added later, from all that is shown but the notes. */
  hide(secrets: readonly string[]): void {
    this.#secrets = secrets
    this.#change({})
  }

  /** Sets what is shown beside the rows. */
  show(change: Partial<Pick<State, 'status' | 'health' | 'message' | 'notes'>>): void {
    this.#change(change)
  }

  resize(size: State['size']): void {
    this.#change({ size })
  }

  /** Shows again what may change with time. */
  refresh(): void {
    this.#change({})
  }

  /** Adds a row, or replaces the one with its key. */
  put(row: LiveRow): void {
    const { key } = row
    this.#count(row, !this.#rows.has(key))
    this.#rows.set(key, this.#shown(row))
    const [oldest = ''] = this.#rows.keys()
    if (this.#rows.size > MAX_ROWS) {
      this.#rows.delete(oldest)
      this.#copies.delete(oldest)
    }
    this.#change({})
    if (this.#state.open?.key === key) void this.#readAgain(key)
  }

  /** Returns the row without control characters and secrets, and marked if it repeats a delivery. */
  #shown(row: LiveRow): LiveRow {
    if (row.tone === 'note') return row
    const cells = row.cells.map((cell) => (typeof cell === 'string' ? this.#clean(cell) : cell))
    const replayOf = this.#copies.get(row.key)
    if (replayOf === undefined || row.replayOf !== undefined) return { ...row, cells }
    const note = cellText(cells.at(-1) ?? '')
    return {
      ...row,
      cells: cells.with(-1, `${note === '' ? '' : `${note}; `}replay of ${replayOf}`),
      replayOf,
    }
  }

  /** Adds a note between the rows, such as a lost connection, on as many lines as it needs now. */
  remark(text: string): void {
    for (const line of wrap(this.#clean(text), this.#state.size.columns - NOTE_INDENT.length)) {
      this.#remarks += 1
      this.put({ key: `note ${this.#remarks}`, cells: [NOTE_INDENT + line], tone: 'note' })
    }
  }

  /** Adds pasted text to the filter. Elsewhere it presses no keys. */
  paste(text: string): void {
    if (this.#state.mode === 'filter') this.#change({ filter: this.#state.filter + safeIndented(text) })
  }

  /** Handles a key: a character, `interrupt`, `suspend`, or the name of another key as ink has it, such as `upArrow`. */
  press(key: string): void {
    const { mode, open } = this.#state
    if (key === 'interrupt') this.#actions.interrupt()
    else if (key === 'suspend') this.#actions.suspend()
    else if (mode === 'filter') this.#edit(key)
    else if (key === 'q') this.#actions.quit()
    else if (mode === 'help') this.#readHelp(key)
    else if (key === '?') this.#change({ mode: 'help', message: '', helpOffset: 0 })
    else if (mode === 'details' && open) this.#read(key, open)
    else this.#command(key)
  }

  #command(key: string): void {
    const step = STEPS[key]
    if (step) this.#move(step(this.#lines().body))
    else if (key === 'f' || key === '/') this.#change({ mode: 'filter', message: '' })
    else if (key === 'escape') this.#change({ filter: '' })
    else void this.#act(key)
  }

  #edit(key: string): void {
    const { filter } = this.#state
    if (key === 'return') this.#change({ mode: 'list' })
    else if (key === 'escape') this.#change({ mode: 'list', filter: '' })
    else if (key === 'backspace' || key === 'delete')
      this.#change({ filter: [...filter].slice(0, -1).join('') })
    else if ([...key].length === 1) this.#change({ filter: filter + safeIndented(key) })
  }

  #read(key: string, open: NonNullable<State['open']>): void {
    const offset = this.#scrolled(this.snapshot().open, key)
    if (offset !== undefined) this.#change({ open: { ...open, offset }, message: '' })
    else if (BACK.has(key) || key === 'o') this.#change({ open: undefined, mode: 'list', message: '' })
    else void this.#act(key)
  }

  #readHelp(key: string): void {
    const helpOffset = this.#scrolled(this.snapshot().help, key)
    if (helpOffset !== undefined) this.#change({ helpOffset })
    else if (BACK.has(key) || key === '?') this.#change({ mode: this.#state.open ? 'details' : 'list' })
  }

  /** Returns the first visible line of a pane after a key that scrolls it; undefined for another key. */
  #scrolled(pane: Pane | undefined, key: string): number | undefined {
    const step = STEPS[key]
    if (!pane || !step) return undefined
    const { body } = this.#lines()
    return clamp(pane.offset + step(Math.max(1, body - 1)), pane.lines.length - body)
  }

  /** Handles the keys that do something with the selected row. */
  async #act(key: string): Promise<void> {
    const { replay, copy, details } = this.#actions
    const { selected } = this.snapshot()
    const { mode, selected: chosen } = this.#state
    const isUnchanged = (): boolean => this.#state.mode === mode && this.#state.selected === chosen
    if (!(key === 'r' && replay) && !['c', 'o', 'return'].includes(key)) return
    if (selected === undefined) return this.#change({ message: `no ${this.nouns[0]} is selected` })
    try {
      if (key === 'r' && replay) {
        this.#change({ message: `sending ${selected} again …` })
        this.#showReplay(await replay(selected))
      } else if (key === 'c') this.#change({ message: await copy(selected) })
      else {
        const read = await details(selected)
        // Details that open late would take the keys of what was begun meanwhile.
        if (isUnchanged()) this.#open(selected, read)
      }
    } catch (error) {
      this.#change({ message: (error as Error).message })
    }
  }

  /** Shows the outcome of a replay, and marks its row, which may already be there. */
  #showReplay({ message, copy }: Replayed): void {
    const row = copy && this.#rows.get(copy.key)
    if (copy) this.#copies.set(copy.key, this.#clean(copy.of))
    if (row) this.put(row)
    this.#change({ message })
  }

  /** Reads the details of the open row again, since it has changed. They stay as they are if that fails. */
  async #readAgain(key: string): Promise<void> {
    this.#reads += 1
    const read = this.#reads
    const details = await this.#actions.details(key).catch(() => undefined)
    const { open } = this.#state
    if (!details || open?.key !== key || read !== this.#reads) return
    this.#change({ open: { ...open, details } })
  }

  #open(key: string, details: Details): void {
    const line = Math.max(
      0,
      this.snapshot().rows.findIndex((row) => row.key === key),
    )
    this.#change({ mode: 'details', selected: key, line, open: { key, details, offset: 0 }, message: '' })
  }

  #move(step: number): void {
    const { rows: visible, selected, lines } = this.snapshot()
    const rows = this.#matching()
    const deliveries = rows.filter(isDelivery)
    const at = (list: readonly LiveRow[]): number => list.findIndex(({ key }) => key === selected)
    const next = deliveries[clamp(at(deliveries) + step, deliveries.length - 1)]
    if (!next) return
    const line = clamp(at(visible) + rows.indexOf(next) - at(rows), lines.body - 1)
    // The newest row stays selected until another arrives.
    this.#change({ selected: next === deliveries.at(-1) ? undefined : next.key, line, message: '' })
  }

  #count({ key, tone, delivery = key }: LiveRow, isNew: boolean): void {
    if (tone === 'note' || delivery === null) return
    if (this.#counted.has(delivery)) this.#add(this.#counted.get(delivery), -1)
    this.#add(tone, 1)
    if (isNew && delivery !== key) this.counts.attempts += 1
    this.#counted.delete(delivery)
    this.#counted.set(delivery, tone)
    const [oldest = ''] = this.#counted.keys()
    if (this.#counted.size > MAX_COUNTED) this.#counted.delete(oldest)
  }

  #add(tone: LiveRow['tone'], step: 1 | -1): void {
    this.counts.all += step
    if (tone === 'wait') this.counts.pending += step
    else if (tone === 'bad') this.counts.bad += step
  }

  /** How many lines each part has now. */
  #lines(): ReturnType<typeof linesOf> {
    const { size, status, health } = this.#state
    const facts = [status, countsText(this.counts, this.nouns), health].filter((text) => text !== '')
    return linesOf(size, health !== '' && widthOf(facts.join(' · ')) > size.columns)
  }

  #clean(text: string): string {
    return redact(safeLine(text), this.#secrets)
  }

  /** Returns the rows that the filter leaves. */
  #matching(): LiveRow[] {
    const rows = [...this.#rows.values()]
    const wanted = this.#state.filter.toLowerCase()
    if (wanted === '') return rows
    return rows.filter(({ cells }) => cells.some((cell) => cellText(cell).toLowerCase().includes(wanted)))
  }

  #change(change: Partial<State>): void {
    Object.assign(this.#state, change)
    this.#snapshot = undefined
    this.#onChange()
  }

  #newSnapshot(): LiveSnapshot {
    const { filter, status, health, message, notes, selected, line, open, mode, size, helpOffset } =
      this.#state
    const shownNotes = notes.map(safeLine)
    const matching = this.#matching()
    const lines = this.#lines()
    const { body } = lines
    const last = Math.max(0, matching.length - body)
    const at = matching.findIndex(({ key }) => key === selected)
    const top = at < 0 ? last : clamp(at - Math.min(line, body - 1), last)
    const pane = (linesFor: Details, offset: number): Pane => {
      const shown = linesFor(size.columns)
      return { lines: shown, offset: clamp(offset, shown.length - body) }
    }
    return {
      ...this.#state,
      filter: redact(filter, this.#secrets),
      status: this.#clean(status),
      health: this.#clean(health),
      message: this.#clean(message),
      notes: shownNotes,
      rows: matching.slice(top, top + body),
      // An open row stays open when it leaves the list.
      selected: open?.key ?? (at < 0 ? matching.findLast(isDelivery)?.key : selected),
      open: open && { ...open, ...pane(open.details, open.offset) },
      help:
        mode === 'help' ? pane((columns) => this.#actions.help(columns, shownNotes), helpOffset) : undefined,
      counts: { ...this.counts },
      lines,
    }
  }
}

export const cellsOf = <Row>(columns: readonly Column<Row, Cell>[], row: Row): Cell[] =>
  columns.map((column) => column.text(row))

/** Whether the row is no note. */
export const isDelivery = ({ tone }: LiveRow): boolean => tone !== 'note'

/** Returns the number, or the nearest one from 0 to `last`. */
const clamp = (number: number, last: number): number => Math.max(0, Math.min(number, last))

const BACK: ReadonlySet<string> = new Set(['escape', 'return'])

/** By how many lines a key moves. */
const STEPS: Readonly<Record<string, (page: number) => number>> = {
  upArrow: () => -1,
  k: () => -1,
  downArrow: () => 1,
  j: () => 1,
  pageUp: (page) => -page,
  pageDown: (page) => page,
  ' ': (page) => page,
  home: () => Number.NEGATIVE_INFINITY,
  end: () => Number.POSITIVE_INFINITY,
}
