/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'

/** One of several panels that share a place. */
export interface Tab {
  readonly name: string
  readonly text: string
  /** Rendered only while the tab is selected. */
  readonly panel: () => ComponentChildren
}

/**
 * Panels behind tabs, the first one selected. The tabs are one tab stop; the arrow keys, Home and End select.
 *
 * @param label Accessible name of the row of tabs.
 * @param aside Content at the end of the row, such as a copy button for the selected panel.
 */
export function Tabs({
  label,
  tabs,
  aside,
}: {
  label: string
  tabs: readonly Tab[]
  aside?: (selected: string) => ComponentChildren
}) {
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  // The chosen tab may not exist any more.
  const at = Math.max(
    0,
    tabs.findIndex(({ name }) => name === chosen),
  )
  const selected = tabs[at]
  if (!selected) return null
  const onKeyDown = (event: KeyboardEvent) => {
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    setChosen(tabs[target]?.name)
    row.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus()
  }
  return (
    <div class="tab-box">
      <div class="tab-row">
        <div ref={row} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map(({ name, text }, index) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-tab-${name}`}
              aria-selected={index === at}
              aria-controls={index === at ? `${id}-panel` : undefined}
              tabIndex={index === at ? 0 : -1}
              onClick={() => setChosen(name)}
            >
              {text}
            </button>
          ))}
        </div>
        {aside ? <div class="tab-aside">{aside(selected.name)}</div> : null}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${selected.name}`}>
        {selected.panel()}
      </div>
    </div>
  )
}
