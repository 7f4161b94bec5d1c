/** Two clicks within this long, at the same place, are a double-click. So are those that the browser counts as one. */
const DOUBLE_CLICK_MS = 500
const SAME_PLACE_PX = 8

/**
 * Swallows the second click of a double-click when another control has taken the place of the first one meanwhile: a double-click on
 * "Save and publish" must not close the form that the first click has published.
 */
export function guardDoubleClicks(): void {
  let first: { readonly control: Element | null; readonly event: MouseEvent } | undefined
  addEventListener(
    'click',
    (event) => {
      const control =
        event.target instanceof Element ? event.target.closest('button, a, summary, label') : null
      const isSecond =
        first !== undefined &&
        // Zero for Enter and the space bar. Some browsers count from one again for another element.
        event.detail > 0 &&
        (event.detail > 1 || event.timeStamp - first.event.timeStamp < DOUBLE_CLICK_MS) &&
        Math.hypot(event.clientX - first.event.clientX, event.clientY - first.event.clientY) < SAME_PLACE_PX
      if (isSecond && first?.control && control && control !== first.control) {
        event.preventDefault()
        event.stopPropagation()
        return
      }
      first = { control, event }
    },
    true,
  )
  // What a key has put there is meant.
  addEventListener('keydown', () => {
    first = undefined
  })
}
