import { describe, expect, it } from 'vitest'
import { PLAIN_PENS } from '../../src/output/pens.ts'
import { type Column, tableLines, tsvLine } from '../../src/output/table.ts'
import { fitted, prepareWidths, wrap } from '../../src/output/width.ts'

interface Item {
  name: string
  count: number
}

const columns: readonly Column<Item>[] = [
  { header: 'Name', text: (item) => item.name, shrinks: true },
  { header: 'Count', text: (item) => String(item.count), align: 'right' },
]
const rows: Item[] = [
  { name: 'A rather long name that goes on', count: 7 },
  { name: '日本語のフォーム', count: 12 },
]
const style = (width: number) => ({ width, pens: PLAIN_PENS })

describe('table', () => {
  it('has no borders and an upper-case header, and measures wide characters', async () => {
    await prepareWidths(rows.map(({ name }) => name))
    expect(tableLines(rows, columns, style(60))).toEqual([
      'NAME                             COUNT',
      'A rather long name that goes on      7',
      '日本語のフォーム                    12',
    ])
  })
  it('truncates shrinking columns, never within a character', async () => {
    await prepareWidths(rows.map(({ name }) => name))
    expect(tableLines(rows, columns, style(22))).toEqual([
      'NAME             COUNT',
      'A rather long…       7',
      '日本語のフォー…     12',
    ])
  })
  it('shrinks a column only as far as its texts stay different, in the middle if they begin alike', () => {
    const apart: readonly Column<Item>[] = [{ ...columns[0]!, shrinks: 'apart' }, columns[1]!]
    const urls = ['https://hooks.example.com/forms/one', 'https://hooks.example.com/forms/two'].map(
      (name, count) => ({ name, count }),
    )
    expect(tableLines(urls, apart, style(28))).toEqual([
      'NAME                   COUNT',
      'https://ho…/forms/one      0',
      'https://ho…/forms/two      1',
    ])
    const titles = ['Guests of the year 2025, by month', 'Guests of the year 2026, by month'].map(
      (name, count) => ({ name, count }),
    )
    // Cut to 13 columns, both would be "Guests…month".
    expect(tableLines(titles, apart, style(20))[0]).toBe('Name   Guests of the')
    expect(tableLines(titles, columns, style(20))[1]).toBe('Guests of th…      0')
  })
  it('omits a column that is the same in every row before it cuts another, and columns that go last after the others', () => {
    const items = [
      { name: 'first of two long names', count: 1 },
      { name: 'second of two long names', count: 2 },
    ]
    const kind: Column<Item> = { header: 'Kind', text: () => 'survey', drops: true }
    const last: Column<Item> = { header: 'Last', text: ({ count }) => `last ${count}`, drops: 'last' }
    const first: Column<Item> = { header: 'First', text: ({ count }) => `drops ${count}`, drops: true }
    const headers = (width: number) =>
      tableLines(items, [last, first, columns[0]!, kind], style(width))[0]?.split(/ +/)
    expect(headers(49)).toEqual(['LAST', 'FIRST', 'NAME', 'KIND'])
    expect(tableLines(items, [last, first, columns[0]!, kind], style(48))).toEqual([
      'LAST    FIRST    NAME',
      'last 1  drops 1  first of two long names',
      'last 2  drops 2  second of two long names',
    ])
    expect(headers(28)).toEqual(['LAST', 'NAME'])
    expect(headers(19)).toEqual(['NAME'])
  })
  it('renders cards when the table is still too wide', () => {
    expect(tableLines(rows.slice(0, 1), columns, style(18))).toEqual([
      'Name   A rather',
      '       long name',
      '       that goes',
      '       on',
      'Count  7',
    ])
  })
  it('omits a column that is empty in every row', () => {
    expect(tableLines([{ name: '', count: 1 }], columns, style(40))).toEqual(['COUNT', '    1'])
  })
  it('renders one tab-separated line per row, without control characters', () => {
    expect(tsvLine({ name: 'a\tb\nc\u001b[0m', count: 1 }, columns, PLAIN_PENS)).toBe('a b c[0m\t1')
  })
})

describe('width', () => {
  it('truncates a family emoji as one character', async () => {
    await prepareWidths(['👨‍👩‍👧‍👦'])
    expect(fitted('ab👨‍👩‍👧‍👦cd', 5)).toBe('ab👨‍👩‍👧‍👦…')
    expect(fitted('ab👨‍👩‍👧‍👦cd', 4)).toBe('ab…')
  })
  it('breaks a word that is longer than the line', () => {
    expect(wrap('abcdefgh ij', 4)).toEqual(['abcd', 'efgh', 'ij'])
  })
})
