import { answerOf } from '../output/pick.ts'
import type { Column } from '../output/table.ts'

/** Returns the columns of `--columns`: known ones as they are, other members and answers as text. */
export function columnsNamed<Item extends object>(
  names: readonly string[],
  known: readonly Column<Item>[],
  items: readonly Item[],
): readonly Column<Item>[] {
  return names.map((name) => {
    const column = known.find((candidate) => candidate.name === name)
    if (column) return column
    if (!name.startsWith('answer.')) {
      return { name, header: name, text: (item) => memberText((item as Record<string, unknown>)[name]) }
    }
    const title = items.map((item) => answerOf(item, name)?.title).find((found) => found !== undefined)
    return { name, header: title ?? name, text: (item) => answerOf(item, name)?.text ?? '', shrinks: true }
  })
}

/** Returns a member of an item as text: nothing for null, JSON for an object. */
export function memberText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
