import type { ChoiceValue } from '@formwire/contract'
import { idProblem } from '../domain/question/read-questions.ts'

/** Between the labels of a text (RESP-07). */
const SEPARATOR = ', '
/** Between the rows of a grid, and between a row and its columns. */
const ROW_SEPARATOR = '; '
const COLUMN_SEPARATOR = ': '

/** Texts of several options that are kept until their labels can be told apart. */
const MAX_UNSOLVED = 50
/** Length of a label that is kept. */
const MAX_LENGTH = 5000

interface Label {
  text: string
  /** Whether a text had this label alone, so that nothing had to be told apart. */
  isCertain: boolean
}

/**
 * Finds the labels of ids in the texts of answers. Texts with several labels are split if the number of parts fits; where a label
 * contains the separator, those that are known are removed.
 */
export class Labels {
  readonly #most: number
  readonly #labels = new Map<string, Label | undefined>()
  readonly #unsolved: { ids: readonly string[]; text: string }[] = []

  /** Whether a label was too long to be kept. */
  hasLong = false

  /** @param most number of ids that are kept */
  constructor(most: number) {
    this.#most = most
  }

  /** The ids, in the order in which they were first seen. */
  get ids(): readonly string[] {
    return [...this.#labels.keys()]
  }

  has(id: string): boolean {
    return this.#labels.has(id)
  }

  /**
   * Adds the labels of a text, in the order of the ids. Without a text, the ids alone. Returns whether all ids are kept: a question has only so many,
   * and not with any id.
   */
  add(ids: readonly string[], text?: string): boolean {
    let areKept = true
    for (const id of ids) {
      if (this.#labels.has(id)) continue
      if (this.#labels.size < this.#most && idProblem(id) === undefined) this.#labels.set(id, undefined)
      else areKept = false
    }
    if (text !== undefined && ids.length > 0) this.#addText(ids, text)
    return areKept
  }

  #addText(ids: readonly string[], text: string): void {
    const [only] = ids
    if (ids.length === 1 && only !== undefined) {
      this.#set(only, { text, isCertain: true })
      return
    }
    // Most texts show nothing new.
    if (ids.every((id) => this.#labels.get(id) !== undefined)) return
    const parts = text.split(SEPARATOR)
    if (parts.length === ids.length) {
      for (const [at, id] of ids.entries()) this.#set(id, { text: parts[at] ?? '', isCertain: false })
    } else if (this.#unsolved.length < MAX_UNSOLVED) this.#unsolved.push({ ids, text })
  }

  /** Returns the label of an id; the id itself if no text shows it. */
  of(id: string): string {
    this.#solve()
    return this.#labels.get(id)?.text || id
  }

  /** The first label wins: texts are added newest first. */
  #set(id: string, label: Label): void {
    if (!this.#labels.has(id) || label.text.trim() === '') return
    if (label.text.length > MAX_LENGTH) {
      this.hasLong = true
      return
    }
    const known = this.#labels.get(id)
    if (known === undefined || (label.isCertain && !known.isCertain)) this.#labels.set(id, label)
  }

  /** Removes known labels from both ends of the texts: what is left between them is the label of the only id that is left. */
  #solve(): void {
    for (let at = 0; at < this.#unsolved.length; at += 1) {
      const { ids, text } = this.#unsolved[at] as { ids: readonly string[]; text: string }
      const left = [...ids]
      let rest = text
      while (left.length > 1) {
        const first = this.#labels.get(left[0] as string)?.text
        const last = this.#labels.get(left.at(-1) as string)?.text
        if (first !== undefined && rest.startsWith(first + SEPARATOR)) {
          rest = rest.slice(first.length + SEPARATOR.length)
          left.shift()
        } else if (last !== undefined && rest.endsWith(SEPARATOR + last)) {
          rest = rest.slice(0, -(SEPARATOR.length + last.length))
          left.pop()
        } else break
      }
      const [only] = left
      if (left.length === 1 && only !== undefined) this.#set(only, { text: rest, isCertain: false })
    }
    this.#unsolved.length = 0
  }
}

/** Returns the part of a choice's text that has the labels: without the other text at its end. Undefined if the end is another. */
export function labelsText({ ids, other }: ChoiceValue, text: string): string | undefined {
  if (other === null) return text
  if (ids.length === 0) return ''
  return text.endsWith(SEPARATOR + other) ? text.slice(0, -(SEPARATOR.length + other.length)) : undefined
}

/** Returns the text of each row and of its columns. Undefined if they cannot be told apart. */
export function gridTexts(
  value: Readonly<Record<string, string | readonly string[]>>,
  text: string,
): { row: string; rowText: string; columns: readonly string[]; columnsText: string }[] | undefined {
  const rows = Object.keys(value)
  const parts = text.split(ROW_SEPARATOR)
  // Keys that look like numbers are not in the order of the form.
  if (parts.length !== rows.length || (rows.length > 1 && rows.some((row) => /^\d+$/.test(row))))
    return undefined
  const found = rows.map((row, at) => {
    const [rowText = '', columnsText, ...more] = (parts[at] ?? '').split(COLUMN_SEPARATOR)
    const columns = [value[row] ?? []].flat()
    return columnsText === undefined || more.length > 0 ? undefined : { row, rowText, columns, columnsText }
  })
  return found.every((one) => one !== undefined) ? found : undefined
}
