import type { Tone } from '@formwire/internal/status-tone'
import { redact, safeIndented, safeLine } from '../output/text-safety.ts'
import { wrap } from '../output/width.ts'
import { paced } from './paced.ts'

/** Rows that are kept; older ones are forgotten. */
export const MAX_ROWS = 500
/** Milliseconds between repaints, at least. */
const PAINT_INTERVAL_MS = 50
const NOTE_INDENT = '  '

/** A text of a row, or what returns it if it changes with time. */
export type Cell = string | (() => string)

/** One row of a live view. */
export interface LiveRow {
  /** Identifies the row: a new row with the same key replaces it. */
  key: string
  /** Texts of the columns, without control characters. A note has one. */
  cells: readonly Cell[]
  /** Undefined for a status that a later version of the API added. */
  tone: Tone | 'note' | undefined
}

/** Returns the lines of an open row for a width. */
export type Details = (columns: number) => readonly string[]

/** Actions of keys. */
export interface LiveActions {
  /** Sends the row again and resolves to a message. */
  replay(key: string): Promise<string>
  details(key: string): Promise<Details>
  /** Copies the row to the clipboard and resolves to a message. */
  copy(key: string): Promise<string>
  quit(): void
  interrupt(): void
  suspend(): void
}

interface State {
  /** Size of the terminal, in characters. */
  size: { columns: number; rows: number }
  mode: 'list' | 'filter' | 'details' | 'help'
  filter: string
  /** Connection status. */
  status: string
  /** Health of the endpoints. */
  health: string
  /** Result of the last key. */
  message: string
  /** The selected row; undefined for the newest. */
  selected: string | undefined
  /** Line of the list on which the selected row stays while others arrive. */
  line: number
  /** The open row, its lines, and the first visible one. */
  open: { key: string; details: Details; lines: readonly string[]; offset: number } | undefined
}

/** What the view shows. */
export interface LiveSnapshot extends State {
  /** Visible rows, oldest first. */
  rows: readonly LiveRow[]
  /** Deliveries so far, and those of them that wait for an attempt or have failed. */
  counts: { all: number; pending: number; bad: number }
}

/** How many lines each part of the view has. One line stays free, so that the terminal never scrolls. */
export function linesOf({ rows }: State['size']) {
  const header = rows < 5 ? 0 : rows < 10 ? 1 : 2
  const heading = rows < 10 ? 0 : 1
  const footer = rows < 5 ? 0 : 2
  return { header, heading, body: Math.max(1, rows - 1 - header - heading - footer), footer }
}

/** The state of a live list, independent of the screen: rows and keys in, snapshots out. */
export class LiveModel {
  readonly counts = { all: 0, pending: 0, bad: 0 }
  readonly #actions: LiveActions
  readonly #rows = new Map<string, LiveRow>()
  /** Forgotten rows that have been counted and may still change, by key. */
  readonly #forgotten = new Map<string, Pick<LiveRow, 'tone'>>()
  #secrets: readonly string[] = []
  #notes = 0
  #state: State = {
    size: { columns: 80, rows: 24 },
    mode: 'list',
    filter: '',
    status: '',
    health: '',
    message: '',
    selected: undefined,
    line: 0,
    open: undefined,
  }
  #snapshot: LiveSnapshot | undefined
  #onChange: () => void = () => undefined

  constructor(actions: LiveActions) {
    this.#actions = actions
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

  /** Redacts these secrets from all that is shown beside the rows. */
  hide(secrets: readonly string[]): void {
    this.#secrets = secrets
    this.#change({})
  }

  /** Sets what is shown beside the rows. */
  show(change: Partial<Pick<State, 'status' | 'health' | 'message'>>): void {
    this.#change(change)
  }

  resize(size: State['size']): void {
    const { open } = this.#state
    this.#change({ size, open: open && { ...open, lines: open.details(size.columns) } })
  }

  /** Adds a row, or replaces the one with its key. */
  put(row: LiveRow): void {
    const known = this.#rows.get(row.key) ?? this.#forgotten.get(row.key)
    if (known) this.#count(known, -1)
    this.#count(row, 1)
    this.#forgotten.delete(row.key)
    this.#rows.set(row.key, row)
    const [oldest] = this.#rows.values()
    if (oldest && this.#rows.size > MAX_ROWS) {
      const { key, tone } = oldest
      this.#rows.delete(key)
      if (tone === 'wait' || tone === undefined) this.#forgotten.set(key, { tone })
    }
    this.#change({})
  }

  /** Adds a note between the rows, such as a lost connection, on as many lines as it needs now. */
  remark(text: string): void {
    for (const line of wrap(safeLine(text), this.#state.size.columns - NOTE_INDENT.length)) {
      this.#notes += 1
      this.put({ key: `note ${this.#notes}`, cells: [NOTE_INDENT + line], tone: 'note' })
    }
  }

  /** Adds pasted text to the filter. Elsewhere it presses no keys. */
  paste(text: string): void {
    if (this.#state.mode === 'filter') this.#change({ filter: this.#state.filter + safeLine(text) })
  }

  /** Handles a key: a character, `interrupt`, `suspend`, or the name of another key as ink has it, such as `upArrow`. */
  press(key: string): void {
    const { mode, open } = this.#state
    if (key === 'interrupt') this.#actions.interrupt()
    else if (key === 'suspend') this.#actions.suspend()
    else if (mode === 'filter') this.#edit(key)
    else if (key === 'q') this.#actions.quit()
    else if (mode === 'help') {
      if (BACK.has(key) || key === '?') this.#change({ mode: open ? 'details' : 'list' })
    } else if (key === '?') this.#change({ mode: 'help', message: '' })
    else if (mode === 'details') this.#read(key)
    else this.#command(key)
  }

  #command(key: string): void {
    const step = STEPS[key]
    if (step) this.#move(step(linesOf(this.#state.size).body))
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

  #read(key: string): void {
    const { open, size } = this.#state
    if (!open) return
    const step = STEPS[key]
    const { body } = linesOf(size)
    if (step) {
      const offset = clamp(open.offset + step(Math.max(1, body - 1)), open.lines.length - body)
      this.#change({ open: { ...open, offset }, message: '' })
    } else if (BACK.has(key) || key === 'o') this.#change({ open: undefined, mode: 'list', message: '' })
    else void this.#act(key)
  }

  /** Handles the keys that do something with the selected row. */
  async #act(key: string): Promise<void> {
    const { replay, copy, details } = this.#actions
    const { selected } = this.snapshot()
    if (!['r', 'c', 'o', 'return'].includes(key)) return
    if (selected === undefined) return this.#change({ message: 'no delivery is selected' })
    try {
      if (key === 'r') this.#change({ message: `sending ${selected} again …` })
      if (key === 'r') this.#change({ message: await replay(selected) })
      else if (key === 'c') this.#change({ message: await copy(selected) })
      else this.#open(selected, await details(selected))
    } catch (error) {
      this.#change({ message: (error as Error).message })
    }
  }

  #open(key: string, details: Details): void {
    const line = Math.max(
      0,
      this.snapshot().rows.findIndex((row) => row.key === key),
    )
    const open = { key, details, lines: details(this.#state.size.columns), offset: 0 }
    this.#change({ mode: 'details', selected: key, line, open, message: '' })
  }

  #move(step: number): void {
    const { rows: visible, selected, size } = this.snapshot()
    const rows = this.#matching()
    const deliveries = rows.filter(isDelivery)
    const at = (list: readonly LiveRow[]): number => list.findIndex(({ key }) => key === selected)
    const next = deliveries[clamp(at(deliveries) + step, deliveries.length - 1)]
    if (!next) return
    const line = clamp(at(visible) + rows.indexOf(next) - at(rows), linesOf(size).body - 1)
    // The newest row stays selected until another arrives.
    this.#change({ selected: next === deliveries.at(-1) ? undefined : next.key, line, message: '' })
  }

  #count({ tone }: Pick<LiveRow, 'tone'>, step: 1 | -1): void {
    if (tone === 'note') return
    this.counts.all += step
    if (tone === 'wait') this.counts.pending += step
    else if (tone === 'bad') this.counts.bad += step
  }

  /** Returns the rows that the filter leaves. */
  #matching(): LiveRow[] {
    const rows = [...this.#rows.values()]
    const wanted = this.#state.filter.toLowerCase()
    if (wanted === '') return rows
    return rows.filter(({ cells }) => cells.some((cell) => textOf(cell).toLowerCase().includes(wanted)))
  }

  #change(change: Partial<State>): void {
    Object.assign(this.#state, change)
    this.#snapshot = undefined
    this.#onChange()
  }

  #newSnapshot(): LiveSnapshot {
    const { size, filter, status, health, message, selected, line, open } = this.#state
    const clean = (text: string): string => redact(safeLine(text), this.#secrets)
    const matching = this.#matching()
    const { body } = linesOf(size)
    const last = Math.max(0, matching.length - body)
    const at = matching.findIndex(({ key }) => key === selected)
    const top = at < 0 ? last : clamp(at - Math.min(line, body - 1), last)
    return {
      ...this.#state,
      filter: redact(filter, this.#secrets),
      status: clean(status),
      health: clean(health),
      message: clean(message),
      rows: matching.slice(top, top + body),
      // An open row stays open when it leaves the list.
      selected: open?.key ?? (at < 0 ? matching.findLast(isDelivery)?.key : selected),
      open: open && { ...open, offset: clamp(open.offset, open.lines.length - body) },
      counts: { ...this.counts },
    }
  }
}

/** Returns the text of a cell at this moment. */
export const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell())

const isDelivery = ({ tone }: LiveRow): boolean => tone !== 'note'

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
