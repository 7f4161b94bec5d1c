/** A key, with what it does, for the help and for the listener. */
export interface Shortcut {
  /** Keys pressed one after the other, as `KeyboardEvent.key` names them. */
  readonly keys: readonly string[]
  readonly text: string
  /** Heading of the help. @default that of what works everywhere */
  readonly group?: string
  readonly run?: () => void
}

/** A second key after this long starts a new shortcut. */
const SEQUENCE_MS = 1_200

/** Whether the key belongs to what is typed in a field. A select, a checkbox or a slider takes no text. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('textarea')) return true
  const input = target.closest('input')
  return input !== null && !['checkbox', 'radio', 'range', 'button', 'submit'].includes(input.type)
}

/** Whether shortcuts are suspended: in a field, in a dialog or a menu, and with a modifier key. */
export function isSuspended(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true
  return isTyping(event.target) || document.querySelector('dialog[open], .menu') !== null
}

/** Runs shortcuts until the returned function is called. */
export function listenToShortcuts(shortcuts: () => readonly Shortcut[]): () => void {
  let begun: readonly string[] = []
  let begunAt = 0
  const onKey = (event: KeyboardEvent) => {
    if (isSuspended(event) || event.repeat) {
      begun = []
      return
    }
    const now = performance.now()
    const pressed = now - begunAt > SEQUENCE_MS ? [event.key] : [...begun, event.key]
    const matching = shortcuts().filter(({ keys }) => pressed.every((key, index) => keys[index] === key))
    const complete = matching.find(({ keys, run }) => run && keys.length === pressed.length)
    begun = complete || matching.length === 0 ? [] : pressed
    begunAt = now
    if (!complete) return
    event.preventDefault()
    complete.run?.()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

/** Returns the position that an arrow key, Home or End moves to, beyond an end to the other one; `undefined` for other keys. */
export function movedBy(
  key: string,
  [back, forward]: readonly [string, string],
  at: number,
  length: number,
): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  if (key === forward) return (at + 1) % length
  return key === back ? (at - 1 + length) % length : undefined
}
