import { Box, Static, Text, useInput, useStdout } from 'ink'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { LiveModel, LiveRow, LiveSnapshot } from './live-model.ts'

/** Lines besides the rows: header, message, keys, and one spare, since ink clears the screen when its output fills it. */
const FRAME_LINES = 4
const TONES = { good: 'green', pending: 'yellow', bad: 'red' } as const

interface Size {
  columns: number
  rows: number
}

/** Returns the current size of the terminal. */
function useSize(): Size {
  const { stdout } = useStdout()
  const read = (): Size => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
  const [size, setSize] = useState(read)
  useEffect(() => {
    const onResize = (): void => setSize(read())
    stdout.on('resize', onResize)
    return () => {
      stdout.off('resize', onResize)
    }
  })
  return size
}

/** The live list: history, the latest rows with a cursor, and a line of keys. Never taller than the screen. */
export function LiveView({ model, title }: { model: LiveModel; title: string }) {
  const snapshot = useSyncExternalStore(model.subscribe, model.snapshot)
  const { columns, rows } = useSize()
  const height = Math.max(1, rows - FRAME_LINES)
  useEffect(() => model.resize(height), [model, height])
  useInput((input, key) =>
    model.press({
      input,
      up: key.upArrow,
      down: key.downArrow,
      enter: key.return,
      escape: key.escape,
      backspace: key.backspace || key.delete,
      ctrl: key.ctrl,
    }),
  )
  return (
    <>
      <Static items={snapshot.history as LiveRow[]}>
        {(row, at) => <Row key={`${at} ${row.key}`} row={row} width={columns} selected={false} />}
      </Static>
      <Box flexDirection="column" width={columns}>
        <Text wrap="truncate" bold>
          {`${title} · ${snapshot.status}`}
        </Text>
        <Body snapshot={snapshot} height={height} width={columns} />
        <Footer snapshot={snapshot} />
      </Box>
    </>
  )
}

function Body({ snapshot, height, width }: { snapshot: LiveSnapshot; height: number; width: number }) {
  if (snapshot.mode === 'details') {
    return snapshot.details.slice(0, height).map((line, at) => (
      <Text key={at} wrap="truncate">
        {line === '' ? ' ' : line}
      </Text>
    ))
  }
  // After a resize, the first render may still have the old number of rows.
  return snapshot.rows
    .slice(-height)
    .map((row) => <Row key={row.key} row={row} width={width} selected={row.key === snapshot.selected} />)
}

function Row({ row, selected, width }: { row: LiveRow; selected: boolean; width: number }) {
  return (
    <Box width={width}>
      <Text wrap="truncate" inverse={selected} color={TONES[row.tone]}>
        {`${selected ? '›' : ' '} ${row.line}`}
      </Text>
    </Box>
  )
}

function Footer({ snapshot }: { snapshot: LiveSnapshot }) {
  const { mode, filter, message } = snapshot
  const filtered = filter === '' ? '' : `filter: ${filter}  `
  return (
    <>
      <Text wrap="truncate" color="cyan">
        {mode === 'filter' ? `filter: ${filter}▏` : `${filtered}${message}` || ' '}
      </Text>
      <Text wrap="truncate" dimColor>
        {mode === 'filter'
          ? 'enter keep · esc clear'
          : mode === 'details'
            ? 'esc back · q quit'
            : '↑↓ select · r replay · o details · f filter · q quit'}
      </Text>
    </>
  )
}
