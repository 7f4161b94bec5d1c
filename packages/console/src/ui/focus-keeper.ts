import { currentRow } from './virtual-grid.tsx'

/** Where the focus was, as long as it is not known to be gone. */
interface FocusOrigin {
  readonly element: HTMLElement
  /** What contained it. Either may be removed along with it. */
  readonly pane: Element | null
  readonly list: Element | null
}

const focused = (): HTMLElement | undefined =>
  document.activeElement instanceof HTMLElement && document.activeElement !== document.body
    ? document.activeElement
    : undefined

/** Returns the nearest place that remains: the open item, the list, or the view. */
function nearest({ pane, list }: FocusOrigin): HTMLElement | null {
  return (
    (pane?.isConnected ? pane.querySelector<HTMLElement>('h2[tabindex]') : null) ??
    (pane || list ? currentRow() : null) ??
    document.querySelector<HTMLElement>('main h1[tabindex]')
  )
}

/**
 * Moves the focus to the nearest place when the focused element is removed, such as a button that an action makes unnecessary.
 * Browsers move it to the start of the page, where keys do nothing and a screen reader says nothing.
 */
export function keepFocus(): void {
  let last: FocusOrigin | undefined
  const remember = () => {
    const element = focused()
    last = element && { element, pane: element.closest('.pane'), list: element.closest('.grid') }
  }
  addEventListener('focusin', remember)
  // A click beside everything takes the focus away on purpose.
  addEventListener('click', remember, true)
  new MutationObserver(() => {
    if (!last || last.element.isConnected || focused()) return
    // A part that is loaded later has no heading yet: the next change looks again.
    nearest(last)?.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true })
}
