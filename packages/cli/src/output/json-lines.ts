import { layOutStart, wrapStart } from './long-text.ts'
import type { Pen, Pens } from './pens.ts'
import { safeIndented, safeLines } from './text-safety.ts'

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
