import type { ComponentChildren } from 'preact'
import { type MutableRef, useId, useRef, useState } from 'preact/hooks'
import { movedBy } from './shortcuts.ts'

/**
 * Panels behind tabs, the first one selected. The tabs are one tab stop; the arrow keys, Home and End select.
 *
 * @param label Accessible name of the row of tabs.
 * @param tabs The panels, each rendered only while its tab is selected, with what is at the end of the row then, such as a copy button.
 * @param last Name of the tab that was selected last, here or in other tabs with it: they begin with that.
 */
export function Tabs({
  label,
  tabs,
  last,
}: {
  label: string
  tabs: readonly { name: string; text: string; panel: () => ComponentChildren; aside: ComponentChildren }[]
  last: MutableRef<string | undefined>
}) {
  const [chosen, setChosen] = useState(last.current)
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  // The chosen tab may not exist any more.
  const at = Math.max(
    0,
    tabs.findIndex(({ name }) => name === chosen),
  )
  const selected = tabs[at]
  if (!selected) return null
  const choose = (name: string) => {
    setChosen(name)
    last.current = name
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = movedBy(event.key, ['ArrowLeft', 'ArrowRight'], at, tabs.length)
    const tab = target === undefined ? undefined : tabs[target]
    if (target === undefined || !tab) return
    event.preventDefault()
    choose(tab.name)
    row.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus()
  }
  return (
    <div class="stack tab-box">
      <div class="row between tab-row">
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
              onClick={() => choose(name)}
            >
              {text}
            </button>
          ))}
        </div>
        <div class="bar tight tab-aside" key={selected.name}>
          {selected.aside}
        </div>
      </div>
      <div class="stack" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${selected.name}`}>
        {selected.panel()}
      </div>
    </div>
  )
}
