import { currentRow } from './grid.tsx'

const focused = (): HTMLElement | undefined =>
  document.activeElement instanceof HTMLElement && document.activeElement !== document.body
    ? document.activeElement
    : undefined

/**
 * Moves the focus to the nearest place when the focused element is removed, such as a button that an action makes unnecessary.
 * Browsers move it to the start of the page, where keys do nothing and a screen reader says nothing.
 */
export function keepFocus(): void {
  /** Where the focus was, and what contained it, which may be removed along with it. */
  let last: { element: HTMLElement; pane: Element | null; list: Element | null } | undefined
  const remember = () => {
    const element = focused()
    last = element && { element, pane: element.closest('.pane'), list: element.closest('.grid') }
  }
  addEventListener('focusin', remember)
  // A click beside everything takes the focus away on purpose.
  addEventListener('click', remember, true)
  new MutationObserver(() => {
    if (!last || last.element.isConnected || focused()) return
    const { pane, list } = last
    const nearest =
      (pane?.isConnected ? pane.querySelector<HTMLElement>('h2[tabindex]') : null) ??
      (pane || list ? currentRow() : null) ??
      document.querySelector<HTMLElement>('main h1[tabindex]')
    // A part that is loaded later has no heading yet: the next change looks again.
    nearest?.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true })
}
