import { describe, expect, it } from 'vitest'
import { RowPrinter } from '../../src/output/row-printer.ts'
import type { Column } from '../../src/output/table.ts'
import { outputOn } from '../support/on-terminal.ts'

interface Item {
  time: string
  count: number | null
  id: string
  note: string
}

const COLUMNS: readonly Column<Item>[] = [
  { header: 'Time', text: (item) => item.time },
  { header: 'Count', text: (item) => String(item.count ?? '') },
  { header: 'Id', text: (item) => item.id },
  { header: 'Note', text: (item) => item.note },
]
const ITEM: Item = { time: '2026-11-21T12:00:00.123Z', count: 7, id: 'dlv_0123456789', note: 'one two three' }

/** Prints items on a terminal of this width. */
async function printed(items: readonly Partial<Item>[], width: number) {
  const { output, written } = outputOn(width)
  const printer = new RowPrinter(output, [], COLUMNS)
  await Promise.all(items.map((item) => printer.print({ ...ITEM, ...item })))
  return written.join('')
}

describe('rows one after another', () => {
  it('are aligned on a terminal, with times to the second', async () => {
    expect(await printed([{}, { count: 1234567 }, {}], 80)).toBe(
      `2026-11-21T12:00:00Z  7      dlv_0123456789  one two three
2026-11-21T12:00:00Z  1234567  dlv_0123456789  one two three
2026-11-21T12:00:00Z  7        dlv_0123456789  one two three
`,
    )
  })
  it('continue on further lines, where the last text is wrapped', async () => {
    expect(await printed([{ note: 'one two three four five six' }], 24)).toBe(
      `2026-11-21T12:00:00Z
  7      dlv_0123456789
  one two three four
  five six
`,
    )
  })
  it('keep their order while the widths of a script are loaded', async () => {
    expect(await printed([{ note: '日本' }, { note: 'two' }], 80)).toMatch(/日本\n.*two\n$/)
  })
})
