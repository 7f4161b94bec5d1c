import { defaultTheme, extendTheme, MultiSelect, Select, TextInput, ThemeProvider } from '@inkjs/ui'
import chalk from 'chalk'
import { Box, Text, useInput } from 'ink'
import { createElement, useState } from 'react'
import type { Context } from '../context.ts'
import { fitted, pad, widthOf } from '../output/width.ts'
import { LEAVE, openScreen, type ScreenSize } from '../ui/screen.ts'

/** One thing to choose. */
export interface Choice {
  value: string
  /** Columns of text, which are aligned and searched. */
  texts: readonly string[]
}

/** What to choose from, and where. */
export interface PickerOptions {
  question: string
  choices: readonly Choice[]
  /** Whether any number can be chosen, else one. */
  several: boolean
  stdin: NodeJS.ReadStream
  stderr: NodeJS.WriteStream
  colourLevel: 0 | 1
  stop: AbortSignal
  onExit: Context['onExit']
}

interface Option {
  value: string
  label: string
}

/** Options that are visible at once, at most. */
const MAX_VISIBLE = 12
/** Lines of a picker besides its options, and the one below it. */
const OTHER_LINES = 4

/** Cyan where the default has blue, which is hard to read on black. */
const styles = {
  focusIndicator: () => ({ color: 'cyan' }),
  label: ({ isFocused, isSelected }: { isFocused: boolean; isSelected: boolean }) =>
    isFocused ? { color: 'cyan' } : isSelected ? { color: 'green' } : {},
}
const theme = extendTheme(defaultTheme, { components: { Select: { styles }, MultiSelect: { styles } } })

/** Lets the user choose. Resolves to the values; undefined if the user cancels, or the command is stopped. */
export async function pick(options: PickerOptions): Promise<readonly string[] | undefined> {
  const { stdin, stderr, stop, several, question, onExit } = options
  if (stop.aborted) return undefined
  // Of the components, too. chalk itself does not know --no-color and NO_COLOR.
  chalk.level = options.colourLevel
  const kept: Kept = { filter: '', selected: [] }
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
        content(size) {
          const list = createElement(several ? SeveralOf : OneOf, { options, size, kept, onChosen: resolve })
          const content = createElement(ThemeProvider, { theme, children: list })
          return createElement(Frame, { question, several, onCancel: cancel }, content)
        },
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

function Frame(props: { question: string; several: boolean; onCancel(): void; children?: React.ReactNode }) {
  const { question, several, onCancel, children } = props
  useInput((input, key) => {
    if (key.escape || (key.ctrl && input === 'c')) onCancel()
  })
  const keys = several ? '↑↓ move · Space select · Enter confirm' : 'type to filter · ↑↓ move · Enter choose'
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(Text, { bold: true, wrap: 'truncate' }, question),
    children,
    createElement(Text, { dimColor: true, wrap: 'truncate' }, `${keys} · Esc cancel`),
  )
}

/** What the user has done so far, kept when the size changes. */
interface Kept {
  filter: string
  selected: readonly string[]
}

interface ListProps {
  options: PickerOptions
  size: ScreenSize
  kept: Kept
  onChosen(values: readonly string[]): void
}

/** A list below a line that filters it. */
function OneOf({ options, size, kept, onChosen }: ListProps) {
  const [filter, setFilter] = useState(kept.filter)
  const onChange = (text: string): void => {
    kept.filter = text
    setFilter(text)
  }
  const found = optionsOf(options, size).filter(({ label }) => matches(label, filter))
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(
      Box,
      {},
      createElement(Text, {}, '> '),
      createElement(TextInput, { defaultValue: kept.filter, onChange }),
    ),
    found.length === 0
      ? createElement(Text, { dimColor: true }, '  nothing matches')
      : createElement(Select, {
          options: found,
          visibleOptionCount: visibleCount(size),
          onChange: (value: string) => onChosen([value]),
        }),
  )
}

function SeveralOf({ options, size, kept, onChosen }: ListProps) {
  return createElement(MultiSelect, {
    options: optionsOf(options, size),
    defaultValue: [...kept.selected],
    onChange(values: string[]) {
      kept.selected = values
    },
    visibleOptionCount: visibleCount(size),
    onSubmit: onChosen,
  })
}

const visibleCount = ({ rows }: ScreenSize): number => Math.max(1, Math.min(MAX_VISIBLE, rows - OTHER_LINES))

/** Whether the label has every word of the filter, whatever their case. */
export function matches(label: string, filter: string): boolean {
  const text = label.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Returns one line per choice, with its texts in columns. A longer line would wrap, and so push others off the screen. */
function optionsOf({ choices }: PickerOptions, { columns }: ScreenSize): Option[] {
  const widths = (choices[0]?.texts ?? []).map((_, at) =>
    Math.max(...choices.map(({ texts }) => widthOf(texts[at] ?? ''))),
  )
  return choices.map(({ value, texts }) => {
    const label = texts.map((text, at) => pad(text, widths[at] ?? 0)).join('  ')
    return { value, label: fitted(label.trimEnd(), columns - MARK_COLUMNS) }
  })
}

/** Columns of the marks before and after a label. */
const MARK_COLUMNS = 6
