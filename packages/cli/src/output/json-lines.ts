import type { Pen, Pens } from './pens.ts'
import { safeIndented } from './text-safety.ts'
import { wrap } from './width.ts'

const MEMBER = /^( *)("(?:[^"\\]|\\.)*":)?( ?)(.*)$/s

/** Returns the value as indented JSON in colours, wrapped to the columns. @param hide removes what must not be shown */
export function jsonLines(
  json: unknown,
  columns: number,
  pens: Pens,
  hide: (text: string) => string = (text) => text,
): string[] {
  return hide(JSON.stringify(json, null, 2))
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', name = '', space = '', value = ''] = MEMBER.exec(safeIndented(line)) ?? []
      const margin = indent.slice(0, Math.floor(columns / 2))
      const pen = penOf(value)
      return wrap(name + space + value, columns - margin.length).map((part, at) => {
        const own = at === 0 && part.startsWith(name) ? name : ''
        const text = part.slice(own.length)
        return margin + pens.cyan(own) + (pen ? pens[pen](text) : text)
      })
    })
}

function penOf(value: string): Pen | undefined {
  if (value.startsWith('"')) return 'green'
  return /^[\]}[{]/.test(value) ? undefined : 'yellow'
}
