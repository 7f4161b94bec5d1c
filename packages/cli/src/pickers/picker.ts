import { defaultTheme, extendTheme, MultiSelect, Select, TextInput, ThemeProvider } from '@inkjs/ui'
import chalk from 'chalk'
import { Box, render, Text, useInput } from 'ink'
import { createElement, useState } from 'react'
import { fitted, pad, widthOf } from '../output/width.ts'

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
  const { stdin, stderr, stop, several } = options
  // Of the components, too. chalk itself does not know --no-color and NO_COLOR.
  chalk.level = options.colourLevel
  let chosen: readonly string[] | undefined
  const settle = (values?: readonly string[]): void => {
    chosen = values
    view.clear()
    view.unmount()
  }
  const list = createElement(several ? SeveralOf : OneOf, { options, onChosen: settle })
  const content = createElement(ThemeProvider, { theme, children: list })
  const view = render(
    createElement(Frame, { question: options.question, several, onCancel: settle }, content),
    {
      stdin,
      stdout: stderr,
      exitOnCtrlC: false,
      patchConsole: false,
    },
  )
  const onAbort = (): void => settle()
  stop.addEventListener('abort', onAbort, { once: true })
  await view.waitUntilExit()
  stop.removeEventListener('abort', onAbort)
  // ink has let go of it; a later prompt may read from it.
  stdin.ref()
  return chosen
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

interface ListProps {
  options: PickerOptions
  onChosen(values: readonly string[]): void
}

/** A list below a line that filters it. */
function OneOf({ options, onChosen }: ListProps) {
  const [filter, setFilter] = useState('')
  const found = optionsOf(options).filter(({ label }) => matches(label, filter))
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(Box, {}, createElement(Text, {}, '> '), createElement(TextInput, { onChange: setFilter })),
    found.length === 0
      ? createElement(Text, { dimColor: true }, '  nothing matches')
      : createElement(Select, {
          options: found,
          visibleOptionCount: visibleCount(options),
          onChange: (value: string) => onChosen([value]),
        }),
  )
}

function SeveralOf({ options, onChosen }: ListProps) {
  return createElement(MultiSelect, {
    options: optionsOf(options),
    visibleOptionCount: visibleCount(options),
    onSubmit: onChosen,
  })
}

const visibleCount = ({ stderr }: PickerOptions): number =>
  Math.max(1, Math.min(MAX_VISIBLE, stderr.rows - OTHER_LINES))

/** Whether the label has every word of the filter, whatever their case. */
export function matches(label: string, filter: string): boolean {
  const text = label.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Returns one line per choice, with its texts in columns. A longer line would wrap, and so push others off the screen. */
function optionsOf({ choices, stderr }: PickerOptions): Option[] {
  const widths = (choices[0]?.texts ?? []).map((_, at) =>
    Math.max(...choices.map(({ texts }) => widthOf(texts[at] ?? ''))),
  )
  return choices.map(({ value, texts }) => {
    const label = texts.map((text, at) => pad(text, widths[at] ?? 0)).join('  ')
    return { value, label: fitted(label.trimEnd(), stderr.columns - MARK_COLUMNS) }
  })
}

/** Columns of the marks before and after a label. */
const MARK_COLUMNS = 6
