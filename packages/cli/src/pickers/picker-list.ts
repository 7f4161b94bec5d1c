import { MARKS, type Pens } from '../output/pens.ts'
import { grouped } from '../output/progress.ts'
import { fitColumns } from '../output/table.ts'
import { fitted, pad, widthOf } from '../output/width.ts'
import type { ScreenSize } from '../ui/screen.ts'

/** One thing to choose. */
export interface Choice {
  value: string
  /** Columns of text, which are aligned and searched. */
  texts: readonly string[]
}

/** What to choose from. */
export interface PickerListOptions {
  question: string
  choices: readonly Choice[]
  /** Whether any number can be chosen, else one. */
  several?: boolean | undefined
  /** Value of the row to start on. @default the first one */
  start?: string | undefined
  /** What the user should know about the choices, such as that there are more. */
  note?: string | undefined
}

/** Keys other than text. */
export type PickerKey = 'up' | 'down' | 'pageUp' | 'pageDown' | 'home' | 'end' | 'backspace'

/** Rows that are visible at once, at most. */
const MAX_VISIBLE = 12
/** Rows of a terminal on which there is room for a note and the position. */
const ROOMY_ROWS = 8
/** Lines besides the rows: the question, the filter and the keys. */
const OTHER_LINES = 3

/** The list of a picker: what was typed, where the user is, and what is selected. */
export class PickerList {
  readonly #options: PickerListOptions
  readonly #labels = new Map<number, readonly string[]>()
  readonly #selected = new Set<string>()
  #filter = ''
  #found: readonly Choice[]
  #at: number
  #message = ''
  /** Rows of a page. */
  #page = 1

  constructor(options: PickerListOptions) {
    const { choices, start } = options
    this.#options = options
    this.#found = choices
    this.#at = Math.max(
      0,
      choices.findIndex(({ value }) => value === start),
    )
  }

  /** Adds text to the filter. A space selects a row instead, if several can be. */
  type(text: string): void {
    this.#message = ''
    if (text === ' ' && this.#options.several) this.#toggle()
    else this.#search(this.#filter + text)
  }

  press(key: PickerKey): void {
    this.#message = ''
    if (key === 'backspace') this.#search([...this.#filter].slice(0, -1).join(''))
    else this.#move(key)
  }

  /** Returns what is chosen; undefined for nothing, which the list then says. */
  confirm(): readonly string[] | undefined {
    const { several, choices } = this.#options
    const current = this.#found[this.#at]
    const chosen = several
      ? choices.map(({ value }) => value).filter((value) => this.#selected.has(value))
      : [current].flatMap((one) => (one ? [one.value] : []))
    if (chosen.length > 0) return chosen
    this.#message = several
      ? 'nothing is selected: Space selects a row, Esc cancels'
      : 'nothing to choose: Backspace shortens the filter, Esc cancels'
    return undefined
  }

  /** Returns the lines to show. A longer one would wrap, and so push others off the screen. */
  lines({ columns, rows }: ScreenSize, pens: Pens): string[] {
    const { question, note, several } = this.#options
    const isRoomy = rows >= ROOMY_ROWS
    const free = rows - 1 - OTHER_LINES - (isRoomy ? 2 : 0)
    this.#page = Math.max(1, Math.min(MAX_VISIBLE, free))
    const first = Math.max(
      0,
      Math.min(this.#at - Math.floor(this.#page / 2), this.#found.length - this.#page),
    )
    const shown = this.#found.slice(first, first + this.#page)
    const dim = (text: string): string => pens.dim(fitted(text, columns))
    const keys = [
      '↑↓ PgUp PgDn',
      'type to filter',
      ...(several ? ['Space select', 'Enter confirm'] : ['Enter choose']),
      'Esc cancel',
    ]
    while (keys.join(' · ').length > columns) keys.shift()
    return [
      pens.bold(fitted(question, columns)),
      ...(note !== undefined && isRoomy ? [dim(note)] : []),
      this.#filterLine(columns, pens),
      ...(shown.length === 0 ? [dim('  nothing matches')] : []),
      ...shown.map((choice, row) => this.#row(choice, first + row === this.#at, columns, pens)),
      ...(isRoomy && this.#found.length > shown.length && shown.length > 0
        ? [dim(`  ${first + 1}–${first + shown.length} of ${grouped(this.#found.length)}`)]
        : []),
      this.#message === ''
        ? dim(keys.join(' · '))
        : pens.yellow(fitted(`${MARKS.wait} ${this.#message}`, columns)),
    ]
  }

  #filterLine(columns: number, pens: Pens): string {
    const { several, choices } = this.#options
    const typed = fitted(`> ${this.#filter}`, columns - 1)
    const count = several ? `${this.#selected.size} of ${grouped(choices.length)} selected` : ''
    const room = columns - widthOf(typed) - 3
    return `${typed}${pens.inverse(' ')}${count === '' || room < 1 ? '' : `  ${pens.dim(fitted(count, room))}`}`
  }

  #row(choice: Choice, isCurrent: boolean, columns: number, pens: Pens): string {
    const isSelected = this.#selected.has(choice.value)
    const box = this.#options.several ? `[${isSelected ? MARKS.good : ' '}] ` : ''
    const head = `${isCurrent ? '❯' : ' '} ${box}`
    const line = fitted(head + this.#label(choice, columns - head.length), columns)
    return isCurrent ? pens.cyan(line) : isSelected ? pens.green(line) : line
  }

  #move(key: Exclude<PickerKey, 'backspace'>): void {
    const last = this.#found.length - 1
    const to = {
      up: this.#at === 0 ? last : this.#at - 1,
      down: this.#at === last ? 0 : this.#at + 1,
      pageUp: this.#at - this.#page,
      pageDown: this.#at + this.#page,
      home: 0,
      end: last,
    }[key]
    this.#at = Math.max(0, Math.min(to, last))
  }

  /** Returns the texts of a choice in columns, which are cut only as far as different ones stay different. */
  #label(choice: Choice, columns: number): string {
    const { choices } = this.#options
    if (!this.#labels.has(columns)) {
      const texts = (choices[0]?.texts ?? []).map((_, at) => choices.map((one) => one.texts[at] ?? ''))
      const widths = texts.map((all) => Math.max(...all.map(widthOf)))
      const cut = fitColumns(
        widths.map(() => ({ shrinks: 'apart' })),
        texts,
        widths,
        columns,
      )
      this.#labels.set(
        columns,
        choices.map((_, row) =>
          (cut ?? texts)
            .map((all, at) => pad(all[row] ?? '', widths[at] ?? 0))
            .join('  ')
            .trimEnd(),
        ),
      )
    }
    return this.#labels.get(columns)?.[choices.indexOf(choice)] ?? ''
  }

  #toggle(): void {
    const value = this.#found[this.#at]?.value
    if (value !== undefined && !this.#selected.delete(value)) this.#selected.add(value)
  }

  #search(filter: string): void {
    this.#filter = filter
    this.#found = this.#options.choices.filter(({ texts }) => matches(texts.join(' '), filter))
    this.#at = 0
  }
}

/** Whether the label has every word of the filter, whatever their case. */
export function matches(label: string, filter: string): boolean {
  const text = label.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
