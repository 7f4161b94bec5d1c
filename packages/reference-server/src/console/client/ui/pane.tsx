/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { go } from '../router.ts'

/**
 * The open entry beside its list. It takes the focus when it opens and gives it back to the entry's row when it
 * closes; Escape closes it.
 */
export function Pane({
  title,
  state,
  actions,
  close,
  closeLabel,
  children,
}: {
  title: string
  /** Badge beside the title. */
  state?: ComponentChildren
  actions?: ComponentChildren
  /** Address of the view without the entry. */
  close: string
  closeLabel: string
  children: ComponentChildren
}) {
  const section = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true })
    const element = section.current
    return () => {
      // What was focused in here is about to go, and the focus with it.
      if (!element?.contains(document.activeElement)) return
      document.querySelector<HTMLElement>('.grid [role=row][tabindex="0"]')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <section
      ref={section}
      class="pane"
      aria-labelledby="pane-title"
      onKeyDown={(event) => {
        if (event.key === 'Escape') go(close)
      }}
    >
      <header class="pane-head">
        <h2 id="pane-title" tabIndex={-1} ref={heading}>
          {title}
        </h2>
        {state}
        <span class="spring" />
        {actions}
        <a class="button" href={close} aria-label={closeLabel}>
          Close
        </a>
      </header>
      {children}
    </section>
  )
}
