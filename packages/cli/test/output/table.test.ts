import stringWidth from 'string-width'
import { beforeAll, describe, expect, it } from 'vitest'
import { PLAIN_PENS } from '../../src/output/pens.ts'
import { type Column, type LiveColumn, tableLines, tsvLine } from '../../src/output/table.ts'
import { fitted, prepareWidths, widthOf, wrap } from '../../src/output/width.ts'
import type { LiveRow } from '../../src/ui/live-model.ts'
import { LiveTable } from '../../src/ui/live-table.ts'

interface Item {
  name: string
  count: number
}

const NAME: Column<Item> = { header: 'Name', text: (item) => item.name, shrinks: 12 }
const COUNT: Column<Item> = { header: 'Count', text: (item) => String(item.count), align: 'right' }
const rows: Item[] = [
  { name: 'A rather long name that goes on', count: 7 },
  { name: '日本語のフォーム', count: 12 },
]
const named = (...names: string[]): Item[] => names.map((name, count) => ({ name, count }))
const lines = (items: readonly Item[], width: number, columns = [NAME, COUNT]) =>
  tableLines(items, columns, { width, pens: PLAIN_PENS })

beforeAll(() => prepareWidths(['你']))

describe('a table', () => {
  it('has no borders and an upper-case header, and measures wide characters', () => {
    expect(lines(rows, 60)).toEqual([
      'NAME                             COUNT',
      'A rather long name that goes on      7',
      '日本語のフォーム                    12',
    ])
  })
  it('truncates columns that shrink, never within a character', () => {
    expect(lines(rows, 22)).toEqual([
      'NAME             COUNT',
      'A rather long…       7',
      '日本語のフォー…     12',
    ])
  })
  it('shrinks a column only as far as its texts stay different, in the middle if they begin alike', () => {
    const apart: Column<Item>[] = [{ ...NAME, shrinks: 'apart' }, COUNT]
    const urls = named('https://hooks.example.com/forms/one', 'https://hooks.example.com/forms/two')
    expect(lines(urls, 28, apart)).toEqual([
      'NAME                   COUNT',
      'https://ho…/forms/one      0',
      'https://ho…/forms/two      1',
    ])
    const titles = named('Guests of the year 2025, by month', 'Guests of the year 2026, by month')
    // Cut to 13 columns, both would be "Guests…month".
    expect(lines(titles, 20, apart)[0]).toBe('Name   Guests of the')
    expect(lines(titles, 20)[1]).toBe('Guests of th…      0')
  })
  it('omits a column that is the same in every row before it cuts another, then those of the highest number', () => {
    const items = named('first of two long names', 'second of two long names')
    const kind: Column<Item> = { header: 'Kind', text: () => 'survey', drops: 3, dropsIfSame: 5 }
    const last: Column<Item> = { header: 'Last', text: ({ count }) => `last ${count}`, drops: 1 }
    const first: Column<Item> = { header: 'First', text: ({ count }) => `drops ${count}`, drops: 3 }
    const headers = (width: number) => lines(items, width, [last, first, NAME, kind])[0]?.split(/ +/)
    expect(headers(49)).toEqual(['LAST', 'FIRST', 'NAME', 'KIND'])
    expect(lines(items, 48, [last, first, NAME, kind])).toEqual([
      'LAST    FIRST    NAME',
      'last 0  drops 0  first of two long names',
      'last 1  drops 1  second of two long names',
    ])
    expect(headers(28)).toEqual(['LAST', 'NAME'])
    expect(headers(19)).toEqual(['NAME'])
  })
  it('omits a column that is empty in every row, and becomes cards when it is still too wide', () => {
    expect(lines(named(''), 40)).toEqual(['COUNT', '    0'])
    expect(lines(rows.slice(0, 1), 18)).toEqual([
      'Name   A rather',
      '       long name',
      '       that goes',
      '       on',
      'Count  7',
    ])
  })
  it('is one tab-separated line per row on a pipe, without control characters', () => {
    expect(tsvLine({ name: 'a\tb\nc\u001b[0m', count: 1 }, [NAME, COUNT], PLAIN_PENS)).toBe('a b c[0m\t1')
  })
})

describe('a live list', () => {
  const text = () => ''
  const columns: readonly LiveColumn<never>[] = [
    { header: 'Time', text, width: 9 },
    { header: 'Form', text, width: 12, shrinks: 7, drops: 2, dropsIfSame: 5 },
    { header: 'Response', short: 'Resp', text, width: 8, shrinks: 5, align: 'right', drops: 1 },
    { header: 'Took', text, width: 6, align: 'right', drops: 3 },
    { header: 'Note', text, width: 10, grows: true, drops: 6 },
  ]
  const row = (form: string, response: string, note = ''): LiveRow => ({
    key: response,
    cells: ['12:00:00Z', form, response, '12 ms', note],
    tone: 'good',
  })
  const shown = (width: number, ...given: LiveRow[]) => new LiveTable(columns, PLAIN_PENS).lines(given, width)

  it('has columns of fixed widths, and leaves out one with the same text in each row before one that tells rows apart', () => {
    const same = [row('survey000001', '1'), row('survey000001', '2')]
    expect(shown(40, ...same)).toEqual([
      '  TIME       RESPONSE    TOOK',
      '  12:00:00Z         1   12 ms',
      '  12:00:00Z         2   12 ms',
    ])
    expect(shown(43, ...same)[0]).toBe('  TIME       FORM          RESPONSE    TOOK')
    expect(shown(43, row('survey000001', '1'), row('party0000001', '2'))).toEqual([
      '  TIME       FORM          RESPONSE    TOOK',
      '  12:00:00Z  survey000001         1   12 ms',
      '  12:00:00Z  party0000001         2   12 ms',
    ])
    expect(shown(35, row('survey000001', '1'), row('party0000001', '2'))).toEqual([
      '  TIME       FORM      RESP    TOOK',
      '  12:00:00Z  survey…      1   12 ms',
      '  12:00:00Z  party0…      2   12 ms',
    ])
  })
  it('is cut, and never wrapped, where its least columns do not fit', () => {
    expect(shown(8, row('survey000001', '1'))).toEqual(['  TIME…', '  12:00…'])
  })
  it('has the note of a row beside the list only if the terminal is too narrow for it', () => {
    const table = new LiveTable(columns, PLAIN_PENS)
    const noted = row('survey000001', '1', 'the handler is too slow')
    table.lines([noted], 100)
    expect([100, 60, 40].map((width) => table.hiddenNote(noted, width))).toEqual([
      '',
      'the handler is too slow',
      'the handler is too slow',
    ])
  })
})

describe('the width of a text', () => {
  it('is one column for each character of the texts of the program, as string-width finds it', () => {
    for (const text of ['→ 200', '↑↓ PgUp', 'loading …', '“quoted” – ‘so’', '✓ ✗ ◦ ›', '1× · 2'])
      expect(widthOf(text)).toBe(stringWidth(text))
  })
  it('is that of whole characters where it is cut or wrapped', () => {
    expect(fitted('ab👨‍👩‍👧‍👦cd', 5)).toBe('ab👨‍👩‍👧‍👦…')
    expect(fitted('ab👨‍👩‍👧‍👦cd', 4)).toBe('ab…')
    expect(wrap('ab cdefghijk l', 4)).toEqual(['ab', 'cdef', 'ghij', 'k l'])
    expect(wrap('你好吗e\u0301e\u0301', 3)).toEqual(['你', '好', '吗e\u0301', 'e\u0301'])
    expect(wrap('你好', 1)).toEqual(['你', '好'])
  })
  it('is right where long texts are measured in parts', () => {
    const text = `${'你'.repeat(497)}${'👨‍👩‍👧'.repeat(200)}`
    expect(widthOf(text)).toBe(stringWidth(text))
    expect(wrap(text, 7).filter((line) => stringWidth(line) > 7 || /^\u200d|\u200d$/.test(line))).toEqual([])
  })
})
