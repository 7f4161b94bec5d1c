import { safeLine } from '../output/text-safety.ts'
import { wrap } from '../output/width.ts'
import type { Key } from './keys.ts'

/** One row of a live view. */
export interface LiveRow {
  /** Identifies the row: a new row with the same key replaces it. */
  key: string
  /** The text, one line without control characters. */
  line: string
  tone: 'good' | 'pending' | 'bad' | 'note'
}

/** The state of the view. */
export interface LiveSnapshot {
  /** Rows of the live part, oldest first. */
  rows: readonly LiveRow[]
  selected: string | undefined
  mode: 'list' | 'filter' | 'details' | 'help'
  filter: string
  /** Lines of the open row, wrapped to the width. */
  details: readonly string[]
  /** First visible line of the details. */
  offset: number
  /** Connection status. */
  status: string
  /** Result of the last key. */
  message: string
}

/** Actions of keys. */
export interface LiveActions {
  /** Sends the row again and resolves to a message. */
  replay(key: string): Promise<string>
  /** Resolves to the details of the row. */
  details(key: string): Promise<readonly string[]>
  /** Copies the row to the clipboard and resolves to a message. */
  copy(key: string): Promise<string>
  quit(): void
  interrupt(): void
  suspend(): void
}

/** The state of a live list, independent of the screen: rows and keys in, snapshots and history out. */
export class LiveModel {
  readonly #actions: LiveActions
  readonly #onChange: () => void
  #rows: LiveRow[] = []
  #history: LiveRow[] = []
  #openDetails: readonly string[] = []
  #height = 1
  #width = 80
  #snapshot: LiveSnapshot = {
    rows: [],
    selected: undefined,
    mode: 'list',
    filter: '',
    details: [],
    offset: 0,
    status: '',
    message: '',
  }

  constructor(actions: LiveActions, onChange: () => void = () => undefined) {
    this.#actions = actions
    this.#onChange = onChange
  }

  snapshot(): LiveSnapshot {
    return this.#snapshot
  }

  /** Returns the rows that have left the live part since the last call. They are forgotten here. */
  takeHistory(): LiveRow[] {
    return this.#history.splice(0)
  }

  /** Yields every text that may be shown next. */
  *texts(): Generator<string> {
    for (const { line } of this.#history) yield line
    for (const { line } of this.#rows) yield line
    yield this.#snapshot.status
    yield this.#snapshot.message
    yield this.#snapshot.filter
  }

  /** Moves every row to the history, for the end of the view. */
  finish(): void {
    this.#history.push(...this.#rows.splice(0).filter((row) => this.#fits(row)))
  }

  /** Sets the number of rows of the live part and its width; older rows move to the history. */
  resize(height: number, width: number): void {
    this.#height = Math.max(1, height)
    this.#width = Math.max(1, width)
    this.#change({ details: wrapAll(this.#openDetails, this.#width) })
  }

  /** Adds a row, or replaces the one with its key. A change of a row in the history adds it again. */
  put(row: LiveRow): void {
    const at = this.#rows.findIndex(({ key }) => key === row.key)
    if (at >= 0) this.#rows[at] = row
    else this.#rows.push(row)
    this.#change({})
  }

  /** Adds a remark to the history, such as a lost connection. */
  remark(text: string): void {
    this.#history.push({ key: '', line: safeLine(text), tone: 'note' })
    this.#onChange()
  }

  status(text: string): void {
    this.#change({ status: text })
  }

  /** Handles one key. */
  press(key: Key): void {
    if (key.name === 'interrupt') this.#actions.interrupt()
    else if (key.name === 'suspend') this.#actions.suspend()
    else this.#byMode[this.#snapshot.mode](key)
  }

  readonly #byMode: Record<LiveSnapshot['mode'], (key: Key) => void> = {
    list: (key) => this.#command(key),
    filter: (key) => this.#edit(key),
    details: (key) => this.#read(key),
    help: (key) => this.#closeHelp(key),
  }

  #command({ input, name }: Key): void {
    const { selected } = this.#snapshot
    if (name === 'up' || input === 'k') this.#move(-1)
    else if (name === 'down' || input === 'j') this.#move(1)
    else if (name === 'pageUp') this.#move(-this.#height)
    else if (name === 'pageDown') this.#move(this.#height)
    else if (name === 'home') this.#move(Number.NEGATIVE_INFINITY)
    else if (name === 'end') this.#move(Number.POSITIVE_INFINITY)
    else if (input === 'q') this.#actions.quit()
    else if (input === '?') this.#change({ mode: 'help', message: '' })
    else if (input === 'f' || input === '/') this.#change({ mode: 'filter', message: '' })
    else if (selected === undefined) return
    else if (input === 'r') void this.#tell(`sending ${selected} again …`, this.#actions.replay(selected))
    else if (input === 'c') void this.#tell('', this.#actions.copy(selected))
    else if (input === 'o' || name === 'enter') void this.#open(selected)
  }

  #edit({ input, name }: Key): void {
    const { filter } = this.#snapshot
    if (name === 'enter') this.#change({ mode: 'list' })
    else if (name === 'escape') this.#change({ mode: 'list', filter: '' })
    else if (name === 'backspace') this.#change({ filter: [...filter].slice(0, -1).join('') })
    else if (name === undefined) this.#change({ filter: filter + input })
  }

  #read({ input, name }: Key): void {
    const { selected } = this.#snapshot
    const page = Math.max(1, this.#height - 1)
    if (input === 'q') this.#actions.quit()
    else if (input === '?') this.#change({ mode: 'help', message: '' })
    else if (name === 'escape' || name === 'enter' || input === 'o') this.#closeDetails()
    else if (input === 'c' && selected !== undefined) void this.#tell('', this.#actions.copy(selected))
    else if (name === 'up' || input === 'k') this.#scroll(-1)
    else if (name === 'down' || input === 'j') this.#scroll(1)
    else if (name === 'pageUp') this.#scroll(-page)
    else if (name === 'pageDown' || input === ' ') this.#scroll(page)
    else if (name === 'home') this.#scroll(Number.NEGATIVE_INFINITY)
    else if (name === 'end') this.#scroll(Number.POSITIVE_INFINITY)
  }

  #closeHelp({ input, name }: Key): void {
    if (input === 'q') this.#actions.quit()
    else if (name === 'escape' || name === 'enter' || input === '?') {
      this.#change({ mode: this.#openDetails.length > 0 ? 'details' : 'list' })
    }
  }

  #closeDetails(): void {
    this.#openDetails = []
    this.#change({ mode: 'list', details: [], offset: 0, message: '' })
  }

  #scroll(step: number): void {
    this.#change({ offset: this.#snapshot.offset + step, message: '' })
  }

  #move(step: number): void {
    const { rows, selected } = this.#snapshot
    const at = rows.findIndex(({ key }) => key === selected)
    const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)]
    this.#change({ selected: next?.key, message: '' })
  }

  async #tell(before: string, action: Promise<string>): Promise<void> {
    this.#change({ message: before })
    this.#change({ message: await messageOf(action) })
  }

  async #open(key: string): Promise<void> {
    try {
      this.#openDetails = await this.#actions.details(key)
    } catch (error) {
      this.#change({ message: (error as Error).message })
      return
    }
    const details = wrapAll(this.#openDetails, this.#width)
    this.#change({ mode: 'details', selected: key, details, offset: 0, message: '' })
  }

  #fits({ line }: LiveRow, filter = this.#snapshot.filter): boolean {
    return filter === '' || line.toLowerCase().includes(filter.toLowerCase())
  }

  #change(change: Partial<LiveSnapshot>): void {
    const before = this.#snapshot
    const filter = change.filter ?? before.filter
    const settled = this.#rows.splice(0, Math.max(0, this.#rows.length - this.#height))
    for (const row of settled) if (this.#fits(row, filter)) this.#history.push(row)
    const rows = this.#rows.filter((row) => this.#fits(row, filter))
    const wanted = 'selected' in change ? change.selected : before.selected
    // An open row stays open when it leaves the list.
    const isReading = (change.mode ?? before.mode) === 'details' || this.#openDetails.length > 0
    const followsNewest = wanted === before.rows.at(-1)?.key && !('selected' in change)
    const stays = !followsNewest && rows.some(({ key }) => key === wanted)
    const selected = isReading || stays ? wanted : rows.at(-1)?.key
    const details = change.details ?? before.details
    const last = Math.max(0, details.length - this.#height)
    const offset = Math.min(Math.max(change.offset ?? before.offset, 0), last)
    this.#snapshot = { ...before, ...change, rows, selected, details, offset }
    this.#onChange()
  }
}

/** Wraps the lines to the width; continued lines keep the indentation. */
function wrapAll(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => {
    const indent = (/^ */.exec(line)?.[0] ?? '').slice(0, Math.floor(width / 2))
    return wrap(line.trimStart(), Math.max(1, width - indent.length)).map((part) => indent + part)
  })
}

async function messageOf(action: Promise<string>): Promise<string> {
  try {
    return await action
  } catch (error) {
    return (error as Error).message
  }
}
