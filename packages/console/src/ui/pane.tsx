/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { go } from '../router.ts'
import { Icon } from './icon.tsx'

/**
 * The open item beside its list. It gets the focus when it opens; the row of the item gets it back when it closes. Escape
 * closes it.
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
  /** URL of the view without the open item. */
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
      // The focused element is about to be removed.
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
        {actions ? <div class="pane-actions">{actions}</div> : null}
        <a
          class="button plain icon-only pane-close"
          href={close}
          aria-label={closeLabel}
          title={`${closeLabel} (Esc)`}
        >
          <Icon name="close" />
        </a>
      </header>
      {children}
    </section>
  )
}
