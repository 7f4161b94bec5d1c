import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { go } from '../router.ts'
import { Icon } from './controls.tsx'
import { currentRow } from './grid.tsx'
import { isSuspended } from './shortcuts.ts'

/** A list, with its open item beside it. On a phone, the item fills the screen. */
export const Split = ({ pane, children }: { pane: ComponentChildren; children: ComponentChildren }) => (
  <div class="split">
    <div class="split-list">{children}</div>
    {pane ? (
      // One for all items that are opened one after the other.
      <div class="drawer">{pane}</div>
    ) : null}
  </div>
)

/** URLs of the rows above and below the open one. */
export interface Neighbours {
  readonly previous: string | undefined
  readonly next: string | undefined
}

/**
 * Returns the neighbours of the open row.
 *
 * @param at Position of the open row, -1 if the list does not show it.
 * @param urlAt Returns the URL of a row, `undefined` beyond the list.
 */
export const neighboursOf = (at: number, urlAt: (index: number) => string | undefined): Neighbours => ({
  previous: at < 1 ? undefined : urlAt(at - 1),
  next: at < 0 ? undefined : urlAt(at + 1),
})

/** A step to another row of the list, or an empty place where the list ends. */
function Step({ href, rel, label }: { href: string | undefined; rel: 'prev' | 'next'; label: string }) {
  const icon = <Icon name={rel === 'prev' ? 'up' : 'down'} />
  if (href === undefined) return <span class="button plain icon-only is-off">{icon}</span>
  return (
    <a class="button plain icon-only" href={href} rel={rel} aria-label={label} title={label}>
      {icon}
    </a>
  )
}

interface PaneProps {
  readonly title: string
  /** Badge beside the title. */
  readonly state?: ComponentChildren
  readonly actions?: ComponentChildren
  /** URL of the view without the open item. */
  readonly close: string
  readonly closeLabel: string
  readonly neighbours: Neighbours
  readonly children: ComponentChildren
}

/**
 * The open item of a list. It gets the focus when it opens; the row of the item gets it back when it closes. Escape
 * closes it, wherever the focus is.
 */
export function Pane({ title, state, actions, close, closeLabel, neighbours, children }: PaneProps) {
  const section = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true })
    const element = section.current
    return () => {
      // The focused element is about to be removed.
      if (!element?.contains(document.activeElement)) return
      currentRow()?.focus({ preventScroll: true })
    }
  }, [])
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      // In the open item, also from a field.
      if (!section.current?.contains(event.target as Node) && isSuspended(event)) return
      go(close)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [close])
  return (
    <section ref={section} class="pane" aria-labelledby="pane-title">
      <header class="row pane-head">
        <h2 id="pane-title" tabIndex={-1} ref={heading}>
          {title}
        </h2>
        {state}
        <span class="spring" />
        {actions ? <div class="row">{actions}</div> : null}
        <div class="pane-corner">
          {neighbours.previous === undefined && neighbours.next === undefined ? null : (
            <>
              <Step href={neighbours.previous} rel="prev" label="Previous row (k)" />
              <Step href={neighbours.next} rel="next" label="Next row (j)" />
            </>
          )}
          <a
            class="button plain icon-only"
            href={close}
            aria-label={closeLabel}
            title={`${closeLabel} (Esc)`}
          >
            <Icon name="close" />
          </a>
        </div>
      </header>
      {children}
    </section>
  )
}
