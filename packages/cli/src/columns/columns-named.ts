import { answerOf } from '../output/pick.ts'
import type { Column } from '../output/table.ts'
import { relativeTime } from '../output/time.ts'
import type { Now } from './members.ts'

/** Returns the columns of `--columns`, also those without a value: known ones as they are, other members and answers as text. */
export function columnsNamed<Item extends object>(
  names: readonly string[],
  known: readonly Column<Item>[],
  items: readonly Item[],
  now: Now,
): readonly Column<Item>[] {
  const columnOf = (name: string): Column<Item> => {
    if (!name.startsWith('answer.')) return memberColumn(name, now)
    const title = items.map((item) => answerOf(item, name)?.title).find((found) => found !== undefined)
    return { header: title ?? name, text: (item) => answerOf(item, name)?.text ?? '', shrinks: true }
  }
  return names.map((name) => {
    const column = known.find((candidate) => candidate.name === name) ?? columnOf(name)
    return { ...column, name, keepsEmpty: true }
  })
}

function memberColumn<Item extends object>(name: string, now: Now): Column<Item> {
  const plain = (item: Item): string => memberText((item as Record<string, unknown>)[name])
  const isTime = name.endsWith('_at')
  const words = name.replace(/_at$/, '').replaceAll('_', ' ')
  return {
    header: words.charAt(0).toUpperCase() + words.slice(1),
    text: (item) => (isTime && plain(item) !== '' ? relativeTime(plain(item), now()) : plain(item)),
    plain,
  }
}

/** Returns a member of an item as text: nothing for null, JSON for an object. */
export function memberText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
