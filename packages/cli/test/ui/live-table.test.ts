import { expect, it } from 'vitest'
import { PLAIN_PENS } from '../../src/output/pens.ts'
import type { LiveRow } from '../../src/ui/live-model.ts'
import { type LiveColumn, LiveTable } from '../../src/ui/live-table.ts'

const COLUMNS: readonly LiveColumn[] = [
  { header: 'Time', width: 9 },
  { header: 'Form', width: 12, least: 7, drops: 2, dropsIfSame: 5 },
  { header: 'Response', short: 'Resp', width: 8, least: 5, align: 'right', drops: 1 },
  { header: 'Took', width: 6, align: 'right', drops: 3 },
  { header: 'Note', width: 10, drops: 6 },
]

const row = (form: string, response: string, note = ''): LiveRow => ({
  key: response,
  cells: ['12:00:00Z', form, response, '12 ms', note],
  tone: 'good',
})
const lines = (width: number, ...rows: LiveRow[]) => new LiveTable(COLUMNS, PLAIN_PENS).lines(rows, width)

it('leaves out a column with the same text in each row before one that tells rows apart', () => {
  const rows = [row('survey000001', '1'), row('survey000001', '2')]
  expect(lines(40, ...rows)).toEqual([
    '  TIME       RESPONSE    TOOK',
    '  12:00:00Z         1   12 ms',
    '  12:00:00Z         2   12 ms',
  ])
  expect(lines(43, ...rows)[0]).toBe('  TIME       FORM          RESPONSE    TOOK')
})

it('keeps a column from its first different text on', () => {
  expect(lines(43, row('survey000001', '1'), row('party0000001', '2'))).toEqual([
    '  TIME       FORM          RESPONSE    TOOK',
    '  12:00:00Z  survey000001         1   12 ms',
    '  12:00:00Z  party0000001         2   12 ms',
  ])
})

it('returns the note of a row only if the terminal is too narrow for it', () => {
  const table = new LiveTable(COLUMNS, PLAIN_PENS)
  const noted = row('survey000001', '1', 'the handler is too slow')
  table.lines([noted], 100)
  expect(table.hiddenNote(noted, 100)).toBe('')
  expect(table.hiddenNote(noted, 60)).toBe('the handler is too slow')
  expect(table.hiddenNote(noted, 40)).toBe('the handler is too slow')
})
