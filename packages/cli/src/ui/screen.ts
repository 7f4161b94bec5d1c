import { prepareWidths, widthOf } from '../output/width.ts'
import type { Runtime } from '../runtime.ts'
import type { Size } from './frame.ts'
import { type Key, parseKeys } from './keys.ts'

/** Milliseconds between repaints, at least. */
const PAINT_INTERVAL_MS = 50
/** Milliseconds after which a lone Escape is a key. */
const ESCAPE_MS = 30

const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'
const ERASE_LINE = '\u001b[2K'
const UP = '\u001b[1A'
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that pens write
const STYLES = /\u001b\[[\d;]*m/g

/** What the screen shows. */
export interface Scene {
  /** Every text of the next paint, to be measured. */
  texts(): Iterable<string>
  /** Lines above the frame since the last paint. They belong to the terminal afterwards. */
  takeHistory(): string[]
  /** Lines of the frame. */
  frame(size: Size): string[]
  onKey(key: Key): void
  onResize(size: Size): void
}

interface TerminalInput {
  setRawMode?(on: boolean): void
  resume(): void
  pause(): void
  on(event: 'data', listener: (chunk: Buffer | string) => void): void
  off(event: 'data', listener: (chunk: Buffer | string) => void): void
}

interface TerminalOutput {
  write(text: string): boolean
  columns?: number | undefined
  rows?: number | undefined
  on?(event: 'resize', listener: () => void): void
  off?(event: 'resize', listener: () => void): void
}

/** A frame at the bottom of the terminal, with the history above it in the terminal's own scrollback. */
export class Screen {
  readonly #input: TerminalInput
  readonly #output: TerminalOutput
  readonly #scene: Scene
  /** Widths of the frame's lines on the screen; empty when it is not shown. */
  #shown: number[] = []
  #text = ''
  #timer: NodeJS.Timeout | undefined
  #paintedAt = Number.NEGATIVE_INFINITY
  #isOpen = false
  #unread = ''
  #escapeTimer: NodeJS.Timeout | undefined

  constructor(runtime: Pick<Runtime, 'stdin' | 'stdout'>, scene: Scene) {
    this.#input = runtime.stdin as TerminalInput
    this.#output = runtime.stdout as TerminalOutput
    this.#scene = scene
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    this.#input.setRawMode?.(true)
    this.#input.on('data', this.#onData)
    this.#input.resume()
    this.#output.on?.('resize', this.#onResize)
    this.#output.write(HIDE_CURSOR)
    this.#onResize()
  }

  /** Removes the frame, writes what is left of the history, and returns the terminal as it was. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    clearTimeout(this.#timer)
    clearTimeout(this.#escapeTimer)
    this.#timer = undefined
    this.#input.off('data', this.#onData)
    this.#input.setRawMode?.(false)
    this.#input.pause()
    this.#output.off?.('resize', this.#onResize)
    const history = this.#scene.takeHistory().map((line) => `${line}\n`)
    this.#output.write(`${this.#eraseFrame()}${history.join('')}${SHOW_CURSOR}`)
    this.#text = ''
  }

  /** Repaints soon: at most twenty times a second, and never before what runs now has finished. */
  invalidate(): void {
    if (!this.#isOpen || this.#timer) return
    const waitMs = Math.max(0, this.#paintedAt + PAINT_INTERVAL_MS - performance.now())
    this.#timer = setTimeout(() => void this.#paint(), waitMs)
  }

  /** Writes a sequence that shows nothing, such as a copy to the clipboard. */
  control(sequence: string): void {
    this.#output.write(sequence)
  }

  get size(): Size {
    return { columns: this.#output.columns || 80, rows: this.#output.rows || 24 }
  }

  async #paint(): Promise<void> {
    await prepareWidths(this.#scene.texts())
    this.#timer = undefined
    this.#paintedAt = performance.now()
    if (!this.#isOpen) return
    const lines = this.#scene.frame(this.size)
    const history = this.#scene.takeHistory()
    const text = lines.join('\n')
    if (history.length === 0 && text === this.#text) return
    const above = history.map((line) => `${line}\n`).join('')
    this.#output.write(`${this.#eraseFrame()}${above}${text}`)
    this.#text = text
    this.#shown = lines.map((line) => widthOf(line.replace(STYLES, '')))
  }

  /** The cursor is at the end of the frame. Lines that the terminal has wrapped after a resize count as several. */
  #eraseFrame(): string {
    if (this.#shown.length === 0) return ''
    const { columns } = this.size
    const lines = this.#shown.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
    this.#shown = []
    // Line by line: tmux moves what a larger erasure removes to the scrollback.
    return `${ERASE_LINE}${`${UP}${ERASE_LINE}`.repeat(lines - 1)}\r`
  }

  readonly #onResize = (): void => {
    this.#scene.onResize(this.size)
    this.invalidate()
  }

  readonly #onData = (chunk: Buffer | string): void => {
    clearTimeout(this.#escapeTimer)
    this.#read(this.#unread + chunk.toString(), false)
    if (this.#unread !== '') this.#escapeTimer = setTimeout(() => this.#read(this.#unread, true), ESCAPE_MS)
  }

  #read(text: string, flush: boolean): void {
    const { keys, rest } = parseKeys(text, flush)
    this.#unread = rest
    for (const key of keys) this.#scene.onKey(key)
  }
}
