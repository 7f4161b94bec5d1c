import type { Tone } from '@formwire/internal/status-tone'
import { Stopped, withPath } from '../failure.ts'
import type { Runtime, TextStream } from '../runtime.ts'
import { colourLevel } from './colour-level.ts'
import { hanging, loadPens, markOf, type Pens, PLAIN_PENS } from './pens.ts'
import { type Column, cardLines, type Field, tableLines, tsvLine } from './table.ts'
import { safeIndented, safeJson, safeLine, safeLines } from './text-safety.ts'
import { fitted, prepareWidths, widthOf } from './width.ts'

/** The global options that control output. */
export interface OutputOptions {
  json: boolean
  /** The only fields to print as JSON. @default all */
  fields?: readonly string[] | undefined
  quiet: boolean
  noColour: boolean
}

const WIDTH_WITHOUT_TERMINAL = 80
/** Columns of running text, at most: longer lines are hard to read. */
export const MAX_TEXT_COLUMNS = 100
/** The tones of announcements other than `wait`, which asks for attention. */
const EVENT_TONES: Readonly<Record<string, Tone>> = {
  request: 'calm',
  progress: 'calm',
  listening: 'good',
  reconnected: 'good',
  fleet_recovered: 'good',
  form_recovered: 'good',
  secret_file: 'good',
  cleanup_failed: 'bad',
  command_killed: 'bad',
  endpoint_left: 'bad',
  form_failed: 'bad',
  not_recorded: 'bad',
  workspace_stopped: 'bad',
}
const ERASE_LINE = '\r\u001b[2K'

/** The output of a command: data on stdout, everything else on stderr. */
export class Output {
  readonly json: boolean
  readonly quiet: boolean
  /** Whether stdout is a terminal. If so, output has tables and relative times. */
  readonly isTerminal: boolean
  /** Pens of stdout. */
  pens: Pens = PLAIN_PENS
  /** Pens of stderr. */
  errorPens: Pens = PLAIN_PENS
  /** The only fields to print as JSON; undefined for all. */
  readonly fields: readonly string[] | undefined
  readonly #noColour: boolean
  readonly #runtime: Runtime
  readonly #status: { waiting: string; progress: readonly string[] } = { waiting: '', progress: [] }
  /** How much is done, from 0 to 1; undefined without a bar. */
  #done: number | undefined
  #isStatusShown = false
  /** Whether the terminal's cursor is inside a line of stdout. */
  #isInLine = false
  #sink: ((text: string, event?: string) => void) | undefined
  /** Whether a live view covers the terminal. */
  #isCovered = false

  constructor(runtime: Runtime, options: OutputOptions) {
    this.#runtime = runtime
    this.json = options.json
    this.fields = options.fields
    this.quiet = options.quiet
    this.isTerminal = runtime.stdout.isTTY === true
    this.#noColour = options.noColour
  }

  /** Loads the pens of both streams; before that, output is plain. */
  async loadPens(): Promise<void> {
    const { env, stderr } = this.#runtime
    this.pens = await loadPens(colourLevel(env, this.isTerminal, this.#noColour))
    this.errorPens = await loadPens(colourLevel(env, stderr.isTTY === true, this.#noColour))
  }

  /** Columns of the terminal. @default 80 without one */
  get width(): number {
    return this.#runtime.stdout.columns || WIDTH_WITHOUT_TERMINAL
  }

  /** Writes text to stdout; resolves once it is flushed. @throws Stopped when the reader has closed stdout */
  async write(text: string): Promise<void> {
    if (text === '') return
    if (this.isTerminal) {
      this.#eraseStatus()
      this.#isInLine = !text.endsWith('\n')
    }
    await new Promise<void>((resolve, reject) => {
      this.#runtime.stdout.write(text, (error) => {
        if (!error) resolve()
        else if ((error as NodeJS.ErrnoException).code === 'EPIPE') reject(new Stopped('output closed'))
        else reject(withPath(error, 'the standard output'))
      })
    })
  }

  async line(text: string): Promise<void> {
    await this.write(`${text}\n`)
  }

  /** Writes one JSON document: indented on a terminal, one line on a pipe. */
  async document(value: unknown): Promise<void> {
    await this.line(safeJson(this.selected(value), this.isTerminal ? 2 : undefined))
  }

  /** Writes one line of NDJSON. */
  async record(value: unknown): Promise<void> {
    await this.line(safeJson(this.selected(value)))
  }

  /** Returns the value with only the fields of `--json=FIELDS`. */
  selected(value: unknown): unknown {
    const { fields } = this
    if (fields === undefined) return value
    return Array.isArray(value) ? value.map((item) => pick(item, fields)) : pick(value, fields)
  }

  /** Writes a list: a table or cards on a terminal, tab-separated on a pipe, one array with `--json`. */
  async list<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<void> {
    if (this.json) await this.document(rows)
    else if (this.isTerminal) await this.table(rows, columns)
    else for (const row of rows) await this.line(tsvLine(row, columns, this.pens))
  }

  /** Writes a table or cards; nothing without rows. */
  async table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<void> {
    if (rows.length === 0) return
    await prepareWidths(columns.flatMap(({ header, text }) => [header, ...rows.map(text)]))
    await this.line(tableLines(rows, columns, this).join('\n'))
  }

  /**
   * Writes one item: labelled lines on a terminal, `name<TAB>value` on a pipe, the object with `--json`. On a pipe, further lines of
   * a value begin with a tab.
   */
  async item<Item>(item: Item, fields: readonly Field<Item>[]): Promise<void> {
    if (this.json) return await this.document(item)
    if (!this.isTerminal) {
      const lines = fields.map(
        (field) => `${safeLine(field.name)}\t${this.#painted(field, item, field.plain ?? field.text)}`,
      )
      return await this.line(lines.join('\n'))
    }
    await prepareWidths(fields.flatMap((field) => [field.header, field.text(item)]))
    await this.line(cardLines([item], fields, this).join('\n'))
  }

  #painted<Item>(field: Field<Item>, item: Item, text: (item: Item) => string): string {
    const pen = field.pen?.(item)
    const safe = field.keepsLines
      ? safeLines(text(item)).trim().replaceAll('\n', '\n\t')
      : safeLine(text(item))
    return pen ? this.pens[pen](safe) : safe
  }

  /** Columns of running text on stderr; undefined without a terminal, where every line is as long as it is. */
  get errorColumns(): number | undefined {
    const { isTTY, columns } = this.#runtime.stderr
    return isTTY ? Math.min(columns || WIDTH_WITHOUT_TERMINAL, MAX_TEXT_COLUMNS) : undefined
  }

  /** Writes a note to stderr. Suppressed by `--quiet` and `--json`. @param tone its mark. @default none, for the lines of a report */
  note(text: string, tone?: Tone): void {
    if (!this.quiet && !this.json) this.#stderr(`${this.#remark(text, tone)}\n`)
  }

  /** Writes an announcement to stderr, such as a wait, even with `--quiet`. With `--json`, one JSON object per line. */
  announce(event: string, text: string, facts: Record<string, unknown> = {}): void {
    if (this.json) this.#stderr(`${safeJson({ event, message: text, ...facts })}\n`)
    // A live view removes control characters and has a colour of its own for remarks.
    else if (this.#sink) this.#sink(safeLine(text), event)
    else this.#stderr(`${this.#remark(text, EVENT_TONES[event] ?? 'wait')}\n`)
  }

  /** Returns a remark as stderr shows it: on a terminal after the mark of its tone, or dim without one. */
  #remark(text: string, tone: Tone | undefined): string {
    const { errorColumns: columns, errorPens: pens } = this
    const line = safeIndented(text)
    if (columns === undefined || this.#sink) return line
    const indent = line.length - line.trimStart().length
    const lines = tone
      ? hanging(`${markOf(tone, pens)} `, 2, line, columns)
      : hanging(' '.repeat(indent), indent, line.trimStart(), columns).map((one) => pens.dim(one))
    return lines.join('\n')
  }

  /** Whether to show a status line on stderr. */
  get showsProgress(): boolean {
    const { stderr, env } = this.#runtime
    return (
      !this.#isCovered &&
      !this.#isInLine &&
      stderr.isTTY === true &&
      !this.quiet &&
      !this.json &&
      env.TERM !== 'dumb' &&
      !isCi(env)
    )
  }

  /** Replaces the progress on the status line: the first text that fits, or else the last. @param done from 0 to 1, for a bar */
  progress(texts: string | readonly string[], done?: number): void {
    this.#status.progress = [texts].flat()
    this.#done = done
    this.#showStatus()
  }

  /** Replaces what the status line says before the progress, such as a countdown; '' removes it. */
  waiting(text: string): void {
    this.#status.waiting = text
    this.#showStatus()
  }

  clearProgress(): void {
    this.#status.progress = []
    this.#status.waiting = ''
    this.#done = undefined
    this.#eraseStatus()
  }

  #showStatus(): void {
    if (!this.showsProgress) return
    const { waiting, progress } = this.#status
    const lines = (progress.length === 0 ? [''] : progress).map((text) =>
      safeLine([waiting, text].filter((part) => part !== '').join(' · ')),
    )
    // A terminal would wrap a longer line, of which only the last part could be erased. It adds ^C for Ctrl-C.
    const columns = (this.#runtime.stderr.columns || WIDTH_WITHOUT_TERMINAL) - 3
    const room = columns - (this.#done === undefined || columns < ROOMY_COLUMNS ? 0 : MIN_BAR_COLUMNS)
    const line = lines.find((text) => widthOf(text) <= room) ?? lines.at(-1) ?? ''
    if (line === '') {
      this.#eraseStatus()
      return
    }
    const bar = this.#done === undefined ? 0 : barColumns(columns, widthOf(line))
    const shownBar = bar === 0 ? '' : barOf(this.#done ?? 0, bar, this.errorPens)
    writeQuietly(this.#runtime.stderr, `${ERASE_LINE}${shownBar}${fitted(line, columns - bar)}`)
    this.#isStatusShown = true
  }

  #eraseStatus(): void {
    if (this.#isStatusShown) writeQuietly(this.#runtime.stderr, ERASE_LINE)
    this.#isStatusShown = false
  }

  /**
   * Passes what is written to stderr to a live view instead, announcements with their event, until called without one.
   * @param isCovered whether the view covers the status line
   */
  divert(sink: ((text: string, event?: string) => void) | undefined, isCovered = sink !== undefined): void {
    this.#sink = sink
    this.#isCovered = isCovered
  }

  #stderr(text: string): void {
    if (this.#sink) this.#sink(text)
    else {
      this.#eraseStatus()
      writeQuietly(this.#runtime.stderr, text)
      this.#showStatus()
    }
  }
}

/** Columns of a progress bar and the space after it: at most, and at least. */
const BAR_COLUMNS = 21
const MIN_BAR_COLUMNS = 11
/** Columns of a status line that always has room for a bar, on a terminal of 80. */
const ROOMY_COLUMNS = 77

/**
 * Returns the columns of a progress bar and the space after it. The end of a text that leaves it less than its least is cut. On a narrow
 * terminal, the text goes first: 0 unless there is room for both.
 */
function barColumns(columns: number, textColumns: number): number {
  if (columns < ROOMY_COLUMNS) return textColumns + BAR_COLUMNS < columns ? BAR_COLUMNS : 0
  return Math.max(MIN_BAR_COLUMNS, Math.min(BAR_COLUMNS, columns - textColumns))
}

function barOf(done: number, columns: number, pens: Pens): string {
  const filled = Math.floor(done * (columns - 1))
  return `${pens.green('━'.repeat(filled))}${pens.dim('─'.repeat(columns - 1 - filled))} `
}

/** Returns the named fields of an object, null where it has none. `answer.ID` is the value of that answer of a response. */
export function pick(item: unknown, fields: readonly string[]): Record<string, unknown> {
  const object = (item ?? {}) as Record<string, unknown>
  return Object.fromEntries(fields.map((field) => [field, fieldOf(object, field) ?? null]))
}

const ANSWER = 'answer.'

function fieldOf(object: Record<string, unknown>, field: string): unknown {
  if (Object.hasOwn(object, field)) return object[field]
  if (!field.startsWith(ANSWER)) return undefined
  const { answers = [] } = object as { answers?: readonly { question_id: string; value: unknown }[] }
  return answers.find(({ question_id: id }) => id === field.slice(ANSWER.length))?.value
}

/** Whether this runs in continuous integration, as ink sees it: there it paints nothing. */
export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return [env.CI, env.CONTINUOUS_INTEGRATION].some((value) => ![undefined, '0', 'false'].includes(value))
}

export function writeQuietly(stream: TextStream, text: string): void {
  try {
    stream.write(text, () => undefined)
  } catch {
    // There is nowhere to report it.
  }
}
