import { type Key, useInput } from 'ink'
import { useCallback, useRef } from 'react'
import { PASTE_END, PASTE_START } from './key-stream.ts'
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

/** Passes the keys and pasted texts of a key stream to the model. */
export function useKeys(model: LiveModel): void {
  const isPasting = useRef(false)
  const onInput = useCallback(
    (input: string, key: Key) => {
      const name = NAMES.find((one) => key[one])
      // ink removes the escape character.
      const sequence = `\u001b${input}`
      if (sequence === PASTE_START || sequence === PASTE_END) isPasting.current = sequence === PASTE_START
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
