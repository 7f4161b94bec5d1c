/** Whether the key belongs to what is typed in a field. A select, a checkbox or a slider takes no text. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  const input = target.closest('input')
  return input !== null && !['checkbox', 'radio', 'range', 'button', 'submit'].includes(input.type)
}

/** Whether shortcuts are suspended: in a field, in a dialog or a menu, and with a modifier key. */
export function isSuspended(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true
  return isTyping(event.target) || document.querySelector('dialog[open], .menu:popover-open') !== null
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
