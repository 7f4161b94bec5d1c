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

/** The marks around a pasted text, as ink passes them on. */
const PASTE_START = '[200~'
const PASTE_END = '[201~'

/** Passes the keys and pasted texts of a key stream to the model. */
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
      else if (!key.ctrl && input !== '') model.press(input)
    },
    [model],
  )
  useInput(onInput)
}
