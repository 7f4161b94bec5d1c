import { type Key, useInput } from 'ink'
import { useCallback, useRef } from 'react'
import type { LiveModel } from './live-model.ts'

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

/** Control characters, which ink passes on as they are when they arrive together with others. */
const CONTROLS: Readonly<Record<string, string>> = {
  '\r': 'return',
  '\n': 'return',
  '\u007f': 'delete',
  '\u0003': 'interrupt',
  '\u001a': 'suspend',
}
/** What ink leaves of a sequence that it does not know, such as that of a focused window. */
const SEQUENCE = /^\[[\d;?<=>]*[@-~]$/
const PASTE_START = '[200~'
const PASTE_END = '[201~'

/** Passes the keys and pasted texts of the terminal to the model. */
export function useKeys(model: LiveModel): void {
  const isPasting = useRef(false)
  const onInput = useCallback(
    (input: string, key: Key) => {
      const name = NAMES.find((one) => key[one])
      if (input === PASTE_START || input === PASTE_END) isPasting.current = input === PASTE_START
      else if (isPasting.current) model.paste(input)
      else if (name) model.press(name)
      else if (key.ctrl && input === 'c') model.press('interrupt')
      else if (key.ctrl && input === 'z') model.press('suspend')
      else if (!key.ctrl && !key.meta && !SEQUENCE.test(input))
        for (const character of input) model.press(CONTROLS[character] ?? character)
    },
    [model],
  )
  useInput(onInput)
}
