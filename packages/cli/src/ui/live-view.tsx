/** @jsxImportSource react */
import { Box, type Key, Transform, useInput } from 'ink'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { hanging, type Pens } from '../output/pens.ts'
import { grouped } from '../output/progress.ts'
import { type Span, spanLine } from '../output/table.ts'
import { widthOf, wrap } from '../output/width.ts'
import { PASTE_END, PASTE_START } from './keys.ts'
import { countSpans } from './live-counts.ts'
import { isDelivery, type LiveActions, type LiveModel, type LiveSnapshot, type Pane } from './live-model.ts'
import type { LiveTable } from './live-table.ts'

/** What a live view shows, and how. */
export interface LiveViewProps {
  /** Without control characters and secrets. */
  title: string
  model: LiveModel
  table: LiveTable
  pens: Pens
  /** Whether to leave out which keys there are. */
  isQuiet?: boolean
}

type PartProps = LiveViewProps & { snapshot: LiveSnapshot }

/** The whole screen but its last line: a header, rows or details, and the keys. */
export function LiveView(props: LiveViewProps) {
  const { model } = props
  const snapshot = useSyncExternalStore(model.subscribe, model.snapshot)
  useKeys(model)
  const { rows, open } = snapshot
  useSeconds(
    model,
    open !== undefined || rows.some(({ cells }) => cells.some((cell) => typeof cell === 'function')),
  )
  return (
    <Box flexDirection="column">
      <Header {...props} snapshot={snapshot} />
      <Body {...props} snapshot={snapshot} />
      <Footer {...props} snapshot={snapshot} />
    </Box>
  )
}

/** The keys of ink that have a name. */
const NAMES = [
  'upArrow',
  'downArrow',
  'pageUp',
  'pageDown',
  'home',
  'end',
  'return',
  'escape',
  'backspace',
  'delete',
] as const satisfies readonly (keyof Key)[]

/** Passes the keys and pasted texts to the model. */
function useKeys(model: LiveModel): void {
  const isPasting = useRef(false)
  const onInput = useCallback(
    (input: string, key: Key) => {
      const name = NAMES.find((one) => key[one])
      // An Escape before the mark is part of its sequence.
      if (input.endsWith(PASTE_START) || input.endsWith(PASTE_END))
        isPasting.current = input.endsWith(PASTE_START)
      else if (isPasting.current) model.paste(key.return ? ' ' : key.ctrl ? '' : input)
      else if (name) model.press(name)
      else if (key.ctrl && input === 'c') model.press('interrupt')
      else if (key.ctrl && input === 'z') model.press('suspend')
      else if (!key.ctrl && !key.meta) for (const character of input) model.press(character)
    },
    [model],
  )
  useInput(onInput)
}

/** Refreshes the model every second while texts change with time. */
function useSeconds(model: LiveModel, isCounting: boolean): void {
  useEffect(() => {
    const timer = isCounting ? setInterval(() => model.refresh(), 1000) : undefined
    return () => clearInterval(timer)
  }, [model, isCounting])
}

/**
 * Lines, at least as many as `height`. They are one node for ink, which lays out each node, and remembers each text that it has
 * measured: blanks, in place of rows that never come back.
 */
function Lines({
  lines,
  columns,
  height = lines.length,
}: {
  lines: readonly string[]
  columns: number
  height?: number
}) {
  if (height === 0) return null
  return (
    <Transform transform={(_blank, at) => lines[at] ?? ''} accessibilityLabel={lines.join('\n')}>
      {Array(height).fill(' '.repeat(columns)).join('\n')}
    </Transform>
  )
}

function Header({ title, model, pens, snapshot }: PartProps) {
  const { size, status, health, counts, lines } = snapshot
  const facts: Span[] = [[status === '' ? '' : `${status} · `], ...countSpans(counts, model.nouns)]
  const isSplit = lines.header > 2
  // The health is the last to be cut.
  const left = health === '' || isSplit ? size.columns : Math.max(0, size.columns - widthOf(health) - 3)
  const start = spanLine(facts, left, pens)
  const separator = left > 0 ? ' · ' : ''
  const texts = isSplit
    ? [start, spanLine([[health]], size.columns, pens)]
    : [start + (health === '' ? '' : spanLine([[separator], [health]], size.columns, pens))]
  const all = [spanLine([[title, 'bold']], size.columns, pens), ...texts]
  return <Lines lines={all.slice(all.length - lines.header)} columns={size.columns} />
}

function Body({ model, table, pens, snapshot }: PartProps) {
  const { mode, open, help, rows, selected, size, filter, counts, notes, lines } = snapshot
  const visible = (pane: Pane | undefined): readonly string[] =>
    pane?.lines.slice(pane.offset, pane.offset + lines.body) ?? []
  const dim = (text: string): string => spanLine([[text, 'dim']], size.columns, pens)
  const [noun, nouns] = model.nouns
  const list = (): readonly string[] => {
    if (rows.some(isDelivery)) return table.lines(rows, size.columns, selected)
    if (filter !== '' || counts.all > 0) return ['', dim(`  no ${noun} has this text`)]
    const first = [
      dim(`  waiting for ${nouns}`),
      ...notes.flatMap((note) => wrap(note, size.columns - 2)).map((note) => `  ${note}`),
    ]
    const remarks = table.lines(rows, size.columns).slice(1)
    return ['', ...first, ...remarks.slice(-Math.max(1, lines.body - first.length))]
  }
  const linesIn = {
    list,
    filter: list,
    details: () => ['', ...visible(open)],
    help: () => ['', ...visible(help)],
  }
  const shown = linesIn[mode]().slice(1 - lines.heading, 1 + lines.body)
  return <Lines lines={shown} columns={size.columns} height={lines.heading + lines.body} />
}

const KEY_COLUMNS = 11
const helpOf = (noun: string) => [
  ['↑ ↓  j k', `select a ${noun}; here and in the details, scroll`],
  ['PgUp PgDn', 'one page up or down'],
  ['Home End', 'first or last; the last one follows new ones'],
  ['o  Enter', 'show the details'],
  ['Esc', 'back; in the list, clear the filter'],
  ['r', `replay the ${noun}; ↻ marks the copy`],
  ['c', `copy the ${noun === 'response' ? 'response as JSON' : 'body'} to the clipboard (OSC 52)`],
  ['f  /', 'show only rows with a text'],
  ['Ctrl-Z', 'suspend; fg resumes'],
  ['q', 'quit'],
]

/** Returns what the keys do, and the notes. */
export function helpLines(
  { nouns, replay }: Pick<LiveActions, 'replay'> & Pick<LiveModel, 'nouns'>,
  notes: readonly string[],
  columns: number,
  pens: Pens,
): string[] {
  const isNarrow = columns < 3 * KEY_COLUMNS
  const shown = helpOf(nouns[0]).filter(([name]) => name !== 'r' || replay)
  const keys = shown.flatMap(([names = '', text = '']) =>
    isNarrow
      ? [...wrap(names, columns).map(pens.bold), ...wrap(text, columns)]
      : hanging(pens.bold(names.padEnd(KEY_COLUMNS)), KEY_COLUMNS, text, columns),
  )
  return notes.length === 0 ? keys : [...keys, '', ...notes.flatMap((note) => wrap(note, columns))]
}

function Footer({ model, table, pens, snapshot, isQuiet = false }: PartProps) {
  const { mode, filter, message, open, help, size, rows, selected, lines } = snapshot
  const texts = {
    list: `${filter === '' ? '' : `filter: ${filter}  `}${message === '' ? noteOfSelected() : message}`,
    filter: `filter: ${filter}▏`,
    details: `${open ? positionOf(open, lines.body) : ''}${message}`,
    help: help ? positionOf(help, lines.body) : '',
  }
  function noteOfSelected(): string {
    const row = rows.find(({ key }) => key === selected)
    return row ? table.hiddenNote(row, size.columns) : ''
  }
  const keys = KEYS[mode].filter((key) => key !== REPLAY || model.canReplay)
  const all = [
    spanLine([[texts[mode], 'cyan']], size.columns, pens),
    spanLine([[isQuiet ? '' : keysWithin(keys, size.columns), 'dim']], size.columns, pens),
  ]
  return <Lines lines={all.slice(0, lines.footer)} columns={size.columns} />
}

function positionOf({ lines, offset }: Pane, body: number): string {
  if (lines.length <= body) return ''
  const to = Math.min(offset + body, lines.length)
  return `lines ${grouped(offset + 1)}–${grouped(to)} of ${grouped(lines.length)}  `
}

const REPLAY = 'r replay'
/** The keys of a mode, most important first. */
const KEYS = {
  list: ['q quit', '? keys', '↑↓ select', 'o details', REPLAY, 'f filter'],
  filter: ['enter apply', 'esc clear'],
  details: ['esc back', '? keys', '↑↓ PgUp PgDn scroll', REPLAY, 'c copy', 'q quit'],
  help: ['esc back', 'q quit', '↑↓ scroll'],
}

/** Returns as many of the keys as fit on a line. */
function keysWithin(keys: readonly string[], columns: number): string {
  return keys.reduce((text, key) => (text.length + key.length + 3 > columns ? text : `${text} · ${key}`))
}
