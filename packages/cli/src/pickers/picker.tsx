/** @jsxImportSource react */
import { MultiSelect, Select, TextInput } from '@inkjs/ui'
import chalk from 'chalk'
import { Box, Text, useInput } from 'ink'
import { useRef, useState } from 'react'
import type { Context } from '../context.ts'
import { PLAIN_PENS } from '../output/pens.ts'
import { fitted } from '../output/width.ts'
import { LEAVE, openScreen, type ScreenSize } from '../ui/screen.ts'

type Choice = Readonly<Record<'value' | 'label', string>>

/** Lets the user choose one value, or any number. Resolves to undefined if the user cancels, or the command is stopped. */
export async function pick(
  context: Pick<Context, 'runtime' | 'output' | 'onExit'>,
  question: string,
  several: boolean,
  choices: readonly Choice[],
): Promise<readonly string[] | undefined> {
  const { stop } = context.runtime
  if (stop.aborted) return undefined
  const stdin = context.runtime.stdin as NodeJS.ReadStream
  const terminal = context.runtime.stderr as NodeJS.WriteStream
  // Otherwise ink decides by the variables of the terminal alone.
  chalk.level = context.output.errorPens === PLAIN_PENS ? 0 : 1
  const over = new AbortController()
  let close: (() => Promise<void>) | undefined
  try {
    return await new Promise<readonly string[] | undefined>((resolve, reject) => {
      const cancel = (): void => resolve(undefined)
      stop.addEventListener('abort', cancel, { signal: over.signal })
      const shown = { question, several, choices, onChosen: resolve, onCancel: cancel }
      const content = (size: ScreenSize) => <Picker {...shown} size={size} />
      close = openScreen({ stdin, terminal, pastes: false, content, onError: reject }).close
      const cancelExit = context.onExit(close, () => terminal.write(LEAVE))
      over.signal.addEventListener('abort', cancelExit)
    })
  } finally {
    await close?.()
    over.abort()
    // ink has let go of it; a later prompt may read from it.
    stdin.ref()
  }
}

interface PickerProps {
  question: string
  several: boolean
  choices: readonly Choice[]
  size: ScreenSize
  onChosen(values: readonly string[]): void
  onCancel(): void
}

/** Rows that are visible at once, at most. A longer list is filtered first. */
const MAX_VISIBLE = 12
/** Lines besides the rows, and columns besides a label. */
const OTHER = { lines: 3, columns: 5 }

function Picker({ question, several, choices, size, onChosen, onCancel }: PickerProps) {
  const [filter, setFilter] = useState<string>()
  const [problem, setProblem] = useState('')
  /** A resize starts the list again, which reads its height once. */
  const place = `${size.columns} ${size.rows}`
  const selected = useRef<string[]>([])
  useInput((input, key) => {
    if (key.escape || (key.ctrl && input === 'c')) onCancel()
  })
  const found = (text = '') => {
    const words = text.toLowerCase().split(/\s+/)
    return choices.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  }
  const search = (text: string): void => {
    const isFound = found(text).length > 0
    if (isFound) setFilter(text)
    setProblem(isFound ? '' : 'nothing matches: Backspace shortens the filter')
  }
  const confirm = (values: readonly string[]): void => {
    if (values.length > 0) onChosen(values)
    else setProblem('nothing is selected: Space selects a row')
  }
  const keep = (values: string[]): void => {
    selected.current = values
  }
  const isFiltering = choices.length > MAX_VISIBLE && filter === undefined
  const columns = size.columns - OTHER.columns
  const list = {
    options: found(filter).map(({ value, label }) => ({ value, label: fitted(label, columns) })),
    visibleOptionCount: Math.max(1, Math.min(MAX_VISIBLE, size.rows - OTHER.lines)),
  }
  const keys = isFiltering
    ? 'Enter search'
    : `↑↓ · ${several ? 'Space select · Enter confirm' : 'Enter choose'}`
  return (
    <Box flexDirection="column">
      <Text bold>{fitted(question, size.columns)}</Text>
      {isFiltering ? (
        <TextInput placeholder="type what a row contains, or nothing for all" onSubmit={search} />
      ) : several ? (
        <MultiSelect
          key={place}
          {...list}
          defaultValue={selected.current}
          onChange={keep}
          onSubmit={confirm}
        />
      ) : (
        <Select key={place} {...list} onChange={(value) => confirm([value])} />
      )}
      <Text dimColor>{fitted(problem || `${keys} · Esc cancel`, size.columns)}</Text>
    </Box>
  )
}
