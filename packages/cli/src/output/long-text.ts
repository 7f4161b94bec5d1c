import { grouped } from './progress.ts'
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
