import type { Pens } from '../output/pens.ts'
import { fitted } from '../output/width.ts'
import type { LiveRow, LiveSnapshot } from './live-model.ts'

/** Lines besides the rows: header, message, keys, and one spare, so that a terminal never scrolls the frame. */
const FRAME_LINES = 4

/** Size of the terminal, in characters. */
export interface Size {
  columns: number
  rows: number
}

/** Returns the number of rows of the live part. */
export function liveHeight({ rows }: Size): number {
  return Math.max(1, rows - FRAME_LINES)
}

const TONES = { good: 'green', pending: 'yellow', bad: 'red', note: 'dim' } as const

const HELP = [
  '↑ ↓  j k         select a delivery; in the details, scroll',
  'PgUp PgDn        one page up or down',
  'Home End         first or last',
  'o  Enter         show the details',
  'Esc              back',
  'r                replay the delivery',
  'c                copy the body to the clipboard (OSC 52)',
  'f  /             show only rows with a text',
  'Ctrl-Z           suspend; fg resumes',
  'q                quit',
]

/** Returns the line of a row, cut to the width. */
export function rowLine(row: LiveRow, columns: number, pens: Pens, selected = false): string {
  const text = fitted(`${selected ? '›' : ' '} ${row.line}`, columns)
  const painted = pens[TONES[row.tone]](text)
  return selected ? `\u001b[7m${painted}\u001b[27m` : painted
}

/** Returns the lines of the frame, never more than the screen has. */
export function frameLines(title: string, snapshot: LiveSnapshot, size: Size, pens: Pens): string[] {
  const { columns } = size
  const height = liveHeight(size)
  const header = pens.bold(
    fitted([title, snapshot.status].filter((text) => text !== '').join(' · '), columns),
  )
  return [
    header,
    ...bodyLines(snapshot, height, columns, pens),
    ...footerLines(snapshot, height, columns, pens),
  ]
}

function bodyLines(snapshot: LiveSnapshot, height: number, columns: number, pens: Pens): string[] {
  const { mode, details, offset, rows, selected } = snapshot
  if (mode === 'help') return HELP.slice(0, height).map((line) => fitted(line, columns))
  if (mode === 'details') return details.slice(offset, offset + height).map((line) => fitted(line, columns))
  // After a resize, there may still be the old number of rows.
  return rows.slice(-height).map((row) => rowLine(row, columns, pens, row.key === selected))
}

function footerLines(snapshot: LiveSnapshot, height: number, columns: number, pens: Pens): string[] {
  const { mode, filter, message, details, offset } = snapshot
  const last = Math.min(offset + height, details.length)
  const position = details.length > height ? `lines ${offset + 1}–${last} of ${details.length}  ` : ''
  const texts = {
    list: [
      `${filter === '' ? '' : `filter: ${filter}  `}${message}`,
      '↑↓ select · r replay · o details · f filter · q quit · ? keys',
    ],
    filter: [`filter: ${filter}▏`, 'enter apply · esc clear'],
    details: [`${position}${message}`, '↑↓ PgUp PgDn scroll · c copy · esc back · q quit · ? keys'],
    help: ['', 'esc back · q quit'],
  } as const
  const [text, keys] = texts[mode]
  return [pens.cyan(fitted(text, columns)), pens.dim(fitted(keys, columns))]
}
