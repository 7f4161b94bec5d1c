import { describe, expect, it } from 'vitest'
import { RowPrinter } from '../../src/output/row-printer.ts'
import type { LiveColumn } from '../../src/output/table.ts'
import { outputOn } from '../support/on-terminal.ts'

interface Item {
  time: string
  count: number | null
  id: string
  note: string
}

const COLUMNS: readonly LiveColumn<Item>[] = [
  { header: 'Time', text: () => '', width: 9 },
  { header: 'Count', text: (item) => String(item.count ?? ''), width: 7, align: 'right' },
  { header: 'Id', text: (item) => item.id, width: 14, drops: 5, isWhole: true },
  { header: 'Note', text: (item) => () => item.note, width: 14, grows: true, drops: 4, isWhole: true },
]
const ITEM: Item = { time: '2026-11-21T12:00:00.123Z', count: 7, id: 'dlv_0123456789', note: 'one two three' }

/** Prints items on a terminal of this width. */
async function printed(items: readonly Partial<Item>[], width: number) {
  const { output, written } = outputOn(width)
  const printer = new RowPrinter(output, [], COLUMNS, ({ time }) => time)
  await Promise.all(items.map((item) => printer.print({ ...ITEM, ...item })))
  return written.join('')
}

describe('rows one after another', () => {
  it('are below one line of headers on a terminal, in fixed widths, with times to the second', async () => {
    expect(await printed([{}, { count: 1234567 }], 100)).toBe(
      `TIME                    COUNT  ID              NOTE
2026-11-21T12:00:00Z        7  dlv_0123456789  one two three
2026-11-21T12:00:00Z  1234567  dlv_0123456789  one two three
`,
    )
  })
  it('have whole texts below them where their columns have no room for these', async () => {
    expect(await printed([{}, { note: 'one two three four five six seven eight nine ten' }], 47)).toBe(
      `TIME                    COUNT  NOTE
2026-11-21T12:00:00Z        7  one two three
  dlv_0123456789
2026-11-21T12:00:00Z        7
  dlv_0123456789
  one two three four five six seven eight nine
  ten
`,
    )
  })
  it('keep their order while the widths of a script are loaded', async () => {
    expect(await printed([{ note: '日本' }, { note: 'two' }], 100)).toMatch(/日本\n.*two\n$/)
  })
})
