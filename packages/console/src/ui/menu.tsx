import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './controls.tsx'
import { movedBy } from './shortcuts.ts'

export interface MenuItem {
  readonly text: string
  readonly icon?: IconName | undefined
  /** Shown in red, below a line. */
  readonly isDanger?: boolean
  readonly run: () => void
}

/** The commands of a menu. Those that do not apply are left out. */
export type MenuItems = readonly (MenuItem | false | undefined)[]

/** Space between the menu, its button and the edges of the window, in pixels. */
const MARGIN = 4

/** What a menu needs at most, in pixels. */
const [HEIGHT, WIDTH] = [360, 260]

/** Puts the menu below its button and along its left edge or, where the window has too little space there, on the other side. */
function place({ style }: HTMLElement, button: HTMLElement): void {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const isAbove = innerHeight - bottom < HEIGHT && top > innerHeight - bottom
  const isBefore = innerWidth - left < WIDTH && right > innerWidth - left
  style.top = isAbove ? 'auto' : `${bottom + MARGIN}px`
  style.bottom = isAbove ? `${innerHeight - top + MARGIN}px` : 'auto'
  style.left = isBefore ? 'auto' : `${left}px`
  style.right = isBefore ? `${innerWidth - right}px` : 'auto'
}

interface MenuButtonProps {
  /** Accessible name of the button and of the menu. */
  readonly label: string
  readonly items: () => MenuItems
  /** Content of the button. @default three dots */
  readonly children?: ComponentChildren
  readonly class?: string | undefined
}

/** A button that opens a menu of commands. As a popover, the menu is not clipped, and closes on Escape and on a click elsewhere. */
export function MenuButton({ label, items, children, class: className }: MenuButtonProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [shown, show] = useState<MenuItems>()
  const close = () => menu.current?.hidePopover()
  useLayoutEffect(() => {
    if (!shown) return
    const placeNow = () => JSON.stringify(button.current?.getBoundingClientRect())
    const placeBefore = placeNow()
    const leave = ({ type }: Event) => (type === 'hashchange' || placeNow() !== placeBefore) && close()
    const events = ['scroll', 'resize', 'hashchange']
    for (const type of events) addEventListener(type, leave, true)
    return () => {
      for (const type of events) removeEventListener(type, leave, true)
    }
  }, [shown])
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(menu.current?.children ?? [])] as HTMLElement[]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const target = movedBy(event.key, ['ArrowUp', 'ArrowDown'], at, all.length)
    // The keys belong to the menu: the list behind it must not move, and Escape must not close the pane.
    event.stopPropagation()
    if (target === undefined && event.key !== 'Tab') return
    event.preventDefault()
    if (target === undefined) close()
    else all[target]?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={className ?? 'button small plain icon-only'}
        popovertarget={id}
        aria-haspopup="menu"
        aria-expanded={shown !== undefined}
        // A visible text is the name. Otherwise the label is.
        aria-label={children === undefined ? label : undefined}
        title={children === undefined ? label : undefined}
        onKeyDown={(event) => {
          // Escape closes the menu, not the pane, also before an item has the focus.
          if (event.key === 'Escape' && shown) event.stopPropagation()
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          event.stopPropagation()
          menu.current?.showPopover()
        }}
      >
        {children ?? <Icon name="more" />}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        class="menu"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onBeforeToggle={({ newState }) => {
          if (newState !== 'open' || !menu.current || !button.current) return
          place(menu.current, button.current)
          show(items())
        }}
        onToggle={({ newState }) => {
          if (newState === 'open') menu.current?.querySelector('button')?.focus()
          else show(undefined)
        }}
      >
        {shown?.map(
          (item) =>
            item && (
              <button
                key={item.text}
                type="button"
                role="menuitem"
                tabIndex={-1}
                class={`item ${item.isDanger ? 'danger' : ''}`}
                onClick={() => {
                  close()
                  item.run()
                }}
              >
                {item.icon ? <Icon name={item.icon} /> : null}
                <span class="line">{item.text}</span>
              </button>
            ),
        )}
      </div>
    </>
  )
}
