import { safeLine } from '../output/text-safety.ts'

/** One row of a live view. */
export interface LiveRow {
  /** Identifies the row: a new row with the same key replaces it. */
  key: string
  /** The text, one line without control characters. */
  line: string
  tone: 'good' | 'pending' | 'bad'
}

/** The state of the view; a new object after every change. */
export interface LiveSnapshot {
  /** Rows above the live part, append-only; each is printed once. */
  history: readonly LiveRow[]
  /** Rows of the live part, oldest first. */
  rows: readonly LiveRow[]
  selected: string | undefined
  mode: 'list' | 'filter' | 'details'
  filter: string
  /** Lines of the open row. */
  details: readonly string[]
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
  quit(): void
  interrupt(): void
}

/** A key press, from ink. */
export interface Key {
  input: string
  up?: boolean
  down?: boolean
  enter?: boolean
  escape?: boolean
  backspace?: boolean
  ctrl?: boolean
}

/** The state of a live list, independent of the screen: rows and keys in, snapshots out. */
export class LiveModel {
  readonly #actions: LiveActions
  readonly #listeners = new Set<() => void>()
  #rows: LiveRow[] = []
  #height = 1
  #snapshot: LiveSnapshot = {
    history: [],
    rows: [],
    selected: undefined,
    mode: 'list',
    filter: '',
    details: [],
    status: '',
    message: '',
  }

  constructor(actions: LiveActions) {
    this.#actions = actions
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): LiveSnapshot => this.#snapshot

  /** Sets the number of rows of the live part; older rows move to the history. */
  resize(height: number): void {
    this.#height = Math.max(1, height)
    this.#change({})
  }

  /** Adds a row, or replaces the one with its key. A change of a row in the history adds it again. */
  put(row: LiveRow): void {
    const at = this.#rows.findIndex(({ key }) => key === row.key)
    if (at >= 0) this.#rows[at] = row
    else this.#rows.push(row)
    this.#change({})
  }

  status(text: string): void {
    this.#change({ status: text })
  }

  /** Handles one key, or several that arrive together, as from a paste. */
  press(key: Key): void {
    if ([...key.input].length > 1) {
      for (const input of key.input) this.press({ input, enter: input === '\r' || input === '\n' })
    } else if (key.ctrl && key.input === 'c') this.#actions.interrupt()
    else if (this.#snapshot.mode === 'filter') this.#edit(key)
    else if (this.#snapshot.mode === 'details') this.#closeDetails(key)
    else this.#command(key)
  }

  #command(key: Key): void {
    const { selected } = this.#snapshot
    if (key.up || key.input === 'k') this.#move(-1)
    else if (key.down || key.input === 'j') this.#move(1)
    else if (key.input === 'q') this.#actions.quit()
    else if (key.input === 'f') this.#change({ mode: 'filter', message: '' })
    else if (selected === undefined) return
    else if (key.input === 'r') void this.#replay(selected)
    else if (key.input === 'o' || key.enter) void this.#open(selected)
  }

  #edit(key: Key): void {
    const { filter } = this.#snapshot
    if (key.enter) this.#change({ mode: 'list' })
    else if (key.escape) this.#change({ mode: 'list', filter: '' })
    else if (key.backspace) this.#change({ filter: filter.slice(0, -1) })
    else if (!key.ctrl) this.#change({ filter: filter + safeLine(key.input) })
  }

  #closeDetails(key: Key): void {
    if (key.input === 'q') this.#actions.quit()
    else if (key.escape || key.enter || key.input === 'o') this.#change({ mode: 'list', details: [] })
  }

  #move(step: number): void {
    const { rows, selected } = this.#snapshot
    const at = rows.findIndex(({ key }) => key === selected)
    const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)]
    this.#change({ selected: next?.key })
  }

  async #replay(key: string): Promise<void> {
    this.#change({ message: `sending ${key} again …` })
    this.#change({ message: await messageOf(this.#actions.replay(key)) })
  }

  async #open(key: string): Promise<void> {
    let details: readonly string[]
    try {
      details = await this.#actions.details(key)
    } catch (error) {
      this.#change({ message: (error as Error).message })
      return
    }
    this.#change({ mode: 'details', details, message: '' })
  }

  #change(change: Partial<LiveSnapshot>): void {
    const before = this.#snapshot
    const filter = change.filter ?? before.filter
    const fits = ({ line }: LiveRow): boolean => line.toLowerCase().includes(filter.toLowerCase())
    const settled = this.#rows.splice(0, Math.max(0, this.#rows.length - this.#height)).filter(fits)
    const rows = this.#rows.filter(fits)
    const wanted = 'selected' in change ? change.selected : before.selected
    const followsNewest = wanted === before.rows.at(-1)?.key && !('selected' in change)
    const selected = !followsNewest && rows.some(({ key }) => key === wanted) ? wanted : rows.at(-1)?.key
    const history = settled.length > 0 ? [...before.history, ...settled] : before.history
    this.#snapshot = { ...before, ...change, history, rows, selected }
    for (const listener of this.#listeners) listener()
  }
}

async function messageOf(action: Promise<string>): Promise<string> {
  try {
    return await action
  } catch (error) {
    return (error as Error).message
  }
}
