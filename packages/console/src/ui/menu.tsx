import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './controls.tsx'
import { movedBy } from './shortcuts.ts'

export interface MenuItem {
  readonly text: string
  readonly icon?: IconName
  /** Shown in red, below a line. */
  readonly isDanger?: boolean
  /** Of a choice between options: whether it is the chosen one. @default undefined, a command */
  readonly isChosen?: boolean
  /** The items that replace those of the menu, which stays open. */
  readonly items?: () => MenuItems
  readonly run?: () => void
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
  style.maxHeight = `${(isAbove ? top : innerHeight - bottom) - 2 * MARGIN}px`
  style.maxWidth = `${(isBefore ? right : innerWidth - left) - MARGIN}px`
}

/** Returns the position of the next item that begins with the typed letter, `undefined` if none does. */
function typedAt(items: readonly HTMLElement[], at: number, event: KeyboardEvent): number | undefined {
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey) return undefined
  const isHit = (item: HTMLElement) => item.textContent?.toLowerCase().startsWith(event.key.toLowerCase())
  const after = items.findIndex((item, index) => index > at && isHit(item))
  const found = after === -1 ? items.findIndex(isHit) : after
  return found === -1 ? undefined : found
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
  const [name, setName] = useState(label)
  const itemElements = () => [...(menu.current?.children ?? [])] as HTMLElement[]
  const focusFirst = () =>
    (itemElements().find(({ ariaChecked }) => ariaChecked === 'true') ?? itemElements()[0])?.focus()
  const close = () => {
    menu.current?.hidePopover()
    show(undefined)
  }
  useLayoutEffect(() => {
    if (!shown) return
    focusFirst()
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
    const all = itemElements()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const target = movedBy(event.key, ['ArrowUp', 'ArrowDown'], at, all.length) ?? typedAt(all, at, event)
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
        aria-label={name}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onBeforeToggle={({ newState }) => {
          if (newState !== 'open' || !menu.current || !button.current) return
          place(menu.current, button.current)
          setName(label)
          show(items())
        }}
        onToggle={({ newState }) => (newState === 'open' ? focusFirst() : show(undefined))}
      >
        {shown?.map(
          (item) =>
            item && (
              <button
                key={item.text}
                type="button"
                {...(item.isChosen === undefined
                  ? { role: 'menuitem' }
                  : { role: 'menuitemradio', 'aria-checked': item.isChosen })}
                aria-haspopup={item.items && 'menu'}
                tabIndex={-1}
                class={`item ${item.isDanger ? 'danger' : ''}`}
                onClick={() => {
                  if (item.items) {
                    setName(item.text)
                    return show(item.items())
                  }
                  close()
                  item.run?.()
                }}
              >
                {item.isChosen === undefined ? null : (
                  <span class="icon">{item.isChosen && <Icon name="check" />}</span>
                )}
                {item.icon ? <Icon name={item.icon} /> : null}
                <span class="line">{item.text}</span>
              </button>
            ),
        )}
      </div>
    </>
  )
}
