/**
 * Swallows the second click of a double-click when another control has taken the place of the first one meanwhile: a double-click on
 * "Save and publish" must not close the form that the first click has published.
 */
export function guardDoubleClicks(): void {
  let last: Element | null = null
  addEventListener(
    'click',
    (event) => {
      const control =
        event.target instanceof Element ? event.target.closest('button, a, summary, label') : null
      // The browser counts the clicks in quick succession at one place, and none for a key.
      if (event.detail > 1 && last && control && control !== last) {
        event.preventDefault()
        event.stopPropagation()
      } else last = control
    },
    true,
  )
}
