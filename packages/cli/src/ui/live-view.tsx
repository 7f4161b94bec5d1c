/** @jsxImportSource react */
import { Box, Transform } from 'ink'
import { memo, useEffect, useReducer, useSyncExternalStore } from 'react'
import { type Pens, TONE_PENS } from '../output/pens.ts'
import { type LiveModel, type LiveSnapshot, linesOf } from './live-model.ts'
import { type LiveTable, lineOf, type Span } from './live-table.ts'
import { useKeys } from './use-keys.ts'

/** What a live view shows, and how. */
export interface LiveViewProps {
  /** Without control characters and secrets. */
  title: string
  model: LiveModel
  table: LiveTable
  pens: Pens
}

type PartProps = LiveViewProps & { snapshot: LiveSnapshot }

/** The whole screen but its last line: a header, rows or details, and the keys. */
export function LiveView(props: LiveViewProps) {
  const { model } = props
  const snapshot = useSyncExternalStore(model.subscribe, model.snapshot)
  useKeys(model)
  useSeconds(snapshot.rows.some(({ cells }) => cells.some((cell) => typeof cell === 'function')))
  const { heading, body } = linesOf(snapshot.size)
  return (
    <Box flexDirection="column">
      <Header {...props} snapshot={snapshot} />
      <Box height={heading + body} flexDirection="column">
        <Body {...props} snapshot={snapshot} />
      </Box>
      <Footer {...props} snapshot={snapshot} />
    </Box>
  )
}

/** Renders every second while texts change with time. */
function useSeconds(isCounting: boolean): void {
  const [, render] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = isCounting ? setInterval(render, 1000) : undefined
    return () => clearInterval(timer)
  }, [isCounting])
}

/** One line. ink remembers each text that it has measured: blanks, in place of rows that never come back. */
const Line = memo(function Line({ text, columns }: { text: string; columns: number }) {
  return (
    <Transform transform={() => text} accessibilityLabel={text}>
      {' '.repeat(columns)}
    </Transform>
  )
})

function Lines({ lines, columns }: { lines: readonly string[]; columns: number }) {
  return lines.map((text, at) => <Line key={at} text={text} columns={columns} />)
}

function Header({ title, pens, snapshot }: PartProps) {
  const { size, status, health, counts } = snapshot
  const facts: Span[] = [
    [status === '' ? '' : `${status} · `],
    ...countSpans(counts),
    [health === '' ? '' : ` · ${health}`],
  ]
  const lines = [lineOf([[title, 'bold']], size.columns, pens), lineOf(facts, size.columns, pens)]
  return <Lines lines={lines.slice(2 - linesOf(size).header)} columns={size.columns} />
}

/** Returns the counts in words: `12 deliveries · 1 pending · 3 failed`. */
export function countSpans({ all, pending, bad }: LiveSnapshot['counts']): Span[] {
  const spans: Span[] = [[`${all} ${all === 1 ? 'delivery' : 'deliveries'}`]]
  if (pending > 0) spans.push([' · '], [`${pending} pending`, TONE_PENS.wait])
  if (bad > 0) spans.push([' · '], [`${bad} failed`, TONE_PENS.bad])
  return spans
}

function Body({ table, pens, snapshot }: PartProps) {
  const { mode, open, rows, selected, size, filter } = snapshot
  const { heading, body } = linesOf(size)
  const empty = filter === '' ? 'waiting for deliveries' : 'no delivery has this text'
  const list = (): string[] =>
    rows.length > 0
      ? table.lines(rows, size.columns, selected)
      : ['', lineOf([[`  ${empty}`, 'dim']], size.columns, pens)]
  const linesIn = {
    list,
    filter: list,
    details: () => ['', ...(open ? open.lines.slice(open.offset, open.offset + body) : [])],
    help: () => [
      '',
      ...HELP.slice(0, body).map(([keys, text]) =>
        lineOf([[keys.padEnd(11), 'bold'], [text]], size.columns, pens),
      ),
    ],
  }
  return <Lines lines={linesIn[mode]().slice(1 - heading)} columns={size.columns} />
}

const HELP = [
  ['↑ ↓  j k', 'select a delivery; in the details, scroll'],
  ['PgUp PgDn', 'one page up or down'],
  ['Home End', 'first or last; the last one follows new ones'],
  ['o  Enter', 'show the details'],
  ['Esc', 'back; in the list, clear the filter'],
  ['r', 'replay the delivery'],
  ['c', 'copy the body to the clipboard (OSC 52)'],
  ['f  /', 'show only rows with a text'],
  ['Ctrl-Z', 'suspend; fg resumes'],
  ['q', 'quit'],
] as const

function Footer({ pens, snapshot }: PartProps) {
  const { mode, filter, message, open, size } = snapshot
  const { body, footer } = linesOf(size)
  const texts = {
    list: `${filter === '' ? '' : `filter: ${filter}  `}${message}`,
    filter: `filter: ${filter}▏`,
    details: `${open ? positionOf(open, body) : ''}${message}`,
    help: '',
  }
  const lines = [
    lineOf([[texts[mode], 'cyan']], size.columns, pens),
    lineOf([[keysWithin(KEYS[mode], size.columns), 'dim']], size.columns, pens),
  ]
  return <Lines lines={lines.slice(0, footer)} columns={size.columns} />
}

function positionOf({ lines, offset }: NonNullable<LiveSnapshot['open']>, body: number): string {
  if (lines.length <= body) return ''
  return `lines ${offset + 1}–${Math.min(offset + body, lines.length)} of ${lines.length}  `
}

/** The keys of a mode, most important first. */
const KEYS = {
  list: ['q quit', '? keys', '↑↓ select', 'o details', 'r replay', 'f filter'],
  filter: ['enter apply', 'esc clear'],
  details: ['esc back', '? keys', '↑↓ PgUp PgDn scroll', 'r replay', 'c copy', 'q quit'],
  help: ['esc back', 'q quit'],
} as const

/** Returns as many of the keys as fit on a line. */
function keysWithin(keys: readonly string[], columns: number): string {
  return keys.reduce((text, key) => (text.length + key.length + 3 > columns ? text : `${text} · ${key}`))
}
