/** @jsxImportSource react */
import { Box, type Key, Text, useInput } from 'ink'
import { useReducer } from 'react'
import type { Context } from '../context.ts'
import type { Pens } from '../output/pens.ts'
import { LEAVE, openScreen, type ScreenSize } from '../ui/screen.ts'
import { type PickerKey, PickerList, type PickerListOptions } from './picker-list.ts'

/** What to choose from, and where. */
export interface PickerOptions extends PickerListOptions {
  stdin: NodeJS.ReadStream
  stderr: NodeJS.WriteStream
  pens: Pens
  stop: AbortSignal
  onExit: Context['onExit']
}

/** Lets the user choose. Resolves to the values; undefined if the user cancels, or the command is stopped. */
export async function pick(options: PickerOptions): Promise<readonly string[] | undefined> {
  const { stdin, stderr, stop, pens, onExit } = options
  if (stop.aborted) return undefined
  const list = new PickerList(options)
  const over = new AbortController()
  let close: (() => Promise<void>) | undefined
  try {
    return await new Promise<readonly string[] | undefined>((resolve, reject) => {
      const cancel = (): void => resolve(undefined)
      stop.addEventListener('abort', cancel, { signal: over.signal })
      close = openScreen({
        stdin,
        terminal: stderr,
        passes: [],
        content: (size) => (
          <Picker list={list} size={size} pens={pens} onChosen={resolve} onCancel={cancel} />
        ),
        onError: reject,
      }).close
      const cancelExit = onExit(close, () => stderr.write(LEAVE))
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
  list: PickerList
  size: ScreenSize
  pens: Pens
  onChosen(values: readonly string[]): void
  onCancel(): void
}

function Picker({ list, size, pens, onChosen, onCancel }: PickerProps) {
  const [, render] = useReducer((count: number) => count + 1, 0)
  useInput((input, key) => {
    const name = nameOf(key)
    if (key.escape || (key.ctrl && input === 'c')) return onCancel()
    if (key.return) {
      const chosen = list.confirm()
      if (chosen) return onChosen(chosen)
    } else if (name) list.press(name)
    else if (input !== '' && !key.ctrl && !key.meta && !key.tab) list.type(input)
    render()
  })
  return (
    <Box flexDirection="column">
      {list.lines(size, pens).map((line, at) => (
        <Text key={at} wrap="truncate">
          {line}
        </Text>
      ))}
    </Box>
  )
}

function nameOf(key: Key): PickerKey | undefined {
  if (key.upArrow) return 'up'
  if (key.downArrow) return 'down'
  if (key.pageUp) return 'pageUp'
  if (key.pageDown) return 'pageDown'
  if (key.home) return 'home'
  if (key.end) return 'end'
  return key.backspace || key.delete ? 'backspace' : undefined
}
