import type { Pen, Pens } from './pens.ts'
import { grouped } from './progress.ts'
import { safeIndented, safeLines } from './text-safety.ts'
import { HALF_AT_END, wrap } from './width.ts'

/** Characters of one line that are laid out, and of all lines. More takes too long while keys are pressed. */
const MAX_LINE = 20_000
const MAX_TEXT = 200_000
/** What a short line counts as. */
const MIN_LINE = 20

/** Wraps a text to lines of at most `columns`. The last one says how much of a very long text is left out. */
export function wrapStart(text: string, columns: number): string[] {
  if (text.length <= MAX_LINE) return wrap(text, columns)
  const start = text.slice(0, MAX_LINE).replace(HALF_AT_END, '')
  return [
    ...wrap(start, columns),
    ...wrap(`… ${grouped(text.length - start.length)} more characters`, columns),
  ]
}

/** Lays out the lines of a text, of a very long one the first, and a line that says how many are left out. */
export function layOutStart(
  lines: readonly string[],
  columns: number,
  layOut: (line: string) => readonly string[],
): string[] {
  const result: string[] = []
  let length = 0
  for (const [at, line] of lines.entries()) {
    if (length > MAX_TEXT) return [...result, ...wrap(`… ${grouped(lines.length - at)} more lines`, columns)]
    length += Math.max(MIN_LINE, Math.min(line.length, MAX_LINE))
    result.push(...layOut(line))
  }
  return result
}

const MEMBER = /^( *)("(?:[^"\\]|\\.)*":)?( ?)(.*)$/s

/** Returns the value as indented JSON in colours, wrapped to the columns. @param hide removes what must not be shown */
export function jsonLines(
  json: unknown,
  columns: number,
  pens: Pens,
  hide: (text: string) => string = (text) => text,
): string[] {
  const lines = JSON.stringify(json, (_, value) => hiddenValue(value, hide), 2).split('\n')
  return layOutStart(lines, columns, (line) => {
    const [, indent = '', name = '', space = '', value = ''] = MEMBER.exec(hide(safeIndented(line))) ?? []
    const margin = indent.slice(0, Math.floor(columns / 2))
    const pen = penOf(value)
    return wrapStart(name + space + value, columns - margin.length).map((part, at) => {
      const own = at === 0 && part.startsWith(name) ? name : ''
      const text = part.slice(own.length)
      return margin + pens.cyan(own) + (pen ? pens[pen](text) : text)
    })
  })
}

/** Hides parts of a text before JSON escapes their quotes. Control characters between theirs do not disguise them. */
function hiddenValue(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value !== 'string') return value
  const text = safeLines(value)
  const hidden = hide(text)
  return hidden === text ? value : hidden
}

function penOf(value: string): Pen | undefined {
  if (value.startsWith('"')) return 'green'
  return /^[\]}[{]/.test(value) ? undefined : 'yellow'
}
