import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from './controls.tsx'
import { movedBy } from './shortcuts.ts'

export interface MenuItem {
  readonly text: string
  readonly icon?: IconName
  /** Shown in red, below a line. */
  readonly isDanger?: boolean
  /** Why the command is not available now. It stays in the menu, with this as its tooltip. */
  readonly unavailable?: string | undefined
  /** Of a choice between options: whether it is the chosen one. @default undefined, a command */
  readonly isChosen?: boolean
  /** The items that replace those of the menu, which stays open. */
  readonly items?: () => MenuItems
  readonly run?: () => void
}

/** The commands of a menu. Those that do not apply are left out. */
export type MenuItems = readonly (MenuItem | false | undefined)[]

const shown = signal<{ label: string; items: readonly MenuItem[]; opener: HTMLElement }>()

const show = (label: string, items: MenuItems, opener: HTMLElement): void => {
  shown.value = { label, items: items.filter((item) => !!item), opener }
}

/** Space between the menu, its button and the edges of the window, in pixels. */
const MARGIN = 4

function close(isFocusReturned: boolean): void {
  const opener = shown.peek()?.opener
  shown.value = undefined
  if (isFocusReturned) opener?.focus()
}

interface MenuButtonProps {
  /** Accessible name of the button and of the menu. */
  readonly label: string
  readonly items: () => MenuItems
  /** Content of the button. @default three dots */
  readonly children?: ComponentChildren
  readonly class?: string | undefined
}

/** A button that opens a menu of commands. The menu itself is rendered by `MenuHost`, because rows clip their content. */
export function MenuButton({ label, items, children, class: className }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const open = () => {
    if (button.current) show(label, items(), button.current)
  }
  return (
    <button
      ref={button}
      type="button"
      class={className ?? 'button small plain icon-only'}
      aria-haspopup="menu"
      aria-expanded={shown.value !== undefined && shown.value.opener === button.current}
      // A visible text is the name. Otherwise the label is.
      aria-label={children === undefined ? label : undefined}
      title={children === undefined ? label : undefined}
      onClick={() => (shown.peek()?.opener === button.current ? close(true) : open())}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        event.stopPropagation()
        open()
      }}
    >
      {children ?? <Icon name="more" />}
    </button>
  )
}

/** Moves the menu below its button, or above it where the window has no space below. */
function place(menu: HTMLElement, opener: HTMLElement): void {
  const anchor = opener.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const below = anchor.bottom + MARGIN
  const top = below + height <= innerHeight - MARGIN ? below : anchor.top - MARGIN - height
  // Its right edge is that of the button where the window ends.
  const left = anchor.left + width <= innerWidth - MARGIN ? anchor.left : anchor.right - width
  menu.style.top = `${Math.max(MARGIN, top)}px`
  menu.style.left = `${Math.max(MARGIN, left)}px`
}

/** Returns the position of the next item that begins with the typed letter, `undefined` if none does. */
function typedAt(items: readonly HTMLElement[], at: number, event: KeyboardEvent): number | undefined {
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey) return undefined
  const isHit = (item: HTMLElement) => item.textContent?.toLowerCase().startsWith(event.key.toLowerCase())
  const after = items.findIndex((item, index) => index > at && isHit(item))
  const found = after === -1 ? items.findIndex(isHit) : after
  return found === -1 ? undefined : found
}

/** The open menu of the page. It closes on Escape, Tab, a click elsewhere, scrolling, and another view. */
export function MenuHost() {
  const menu = useRef<HTMLDivElement>(null)
  const current = shown.value
  useLayoutEffect(() => {
    if (!current || !menu.current) return
    place(menu.current, current.opener)
    const first =
      menu.current.querySelector<HTMLElement>('[aria-checked=true]') ?? menu.current.firstElementChild
    ;(first as HTMLElement | null)?.focus()
  }, [current])
  // With the menu: what comes before the next frame closes it, too.
  useLayoutEffect(() => {
    if (!current) return
    const onPointer = (event: Event) => {
      const target = event.target as Node
      if (!menu.current?.contains(target) && !current.opener.contains(target)) close(false)
    }
    const { x, y } = current.opener.getBoundingClientRect()
    const dismiss = ({ type }: Event) => {
      // Scrolling that leaves its button in place keeps it open.
      const now = current.opener.getBoundingClientRect()
      if (type !== 'scroll' || now.x !== x || now.y !== y) close(false)
    }
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    addEventListener('pointerdown', onPointer, options)
    for (const type of ['scroll', 'resize', 'hashchange']) addEventListener(type, dismiss, options)
    return () => listening.abort()
  }, [current])
  if (!current) return null
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(menu.current?.children ?? [])] as HTMLElement[]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const target = movedBy(event.key, ['ArrowUp', 'ArrowDown'], at, items.length) ?? typedAt(items, at, event)
    // The keys belong to the menu: the list behind it must not move, and Escape must not close the pane.
    event.stopPropagation()
    if (target !== undefined) {
      event.preventDefault()
      items[target]?.focus()
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      close(true)
    }
  }
  return (
    <div ref={menu} class="menu" role="menu" aria-label={current.label} tabIndex={-1} onKeyDown={onKeyDown}>
      {current.items.map((item) => (
        <button
          key={item.text}
          type="button"
          {...(item.isChosen === undefined
            ? { role: 'menuitem' }
            : { role: 'menuitemradio', 'aria-checked': item.isChosen })}
          aria-haspopup={item.items && 'menu'}
          tabIndex={-1}
          class={`item ${item.isDanger ? 'danger' : ''}`}
          aria-disabled={item.unavailable !== undefined}
          title={item.unavailable}
          onClick={() => {
            if (item.unavailable !== undefined) return
            if (item.items) return show(item.text, item.items(), current.opener)
            close(true)
            item.run?.()
          }}
        >
          {item.isChosen === undefined ? null : (
            <span class="icon">{item.isChosen && <Icon name="check" />}</span>
          )}
          {item.icon ? <Icon name={item.icon} /> : null}
          <span class="line">{item.text}</span>
        </button>
      ))}
    </div>
  )
}
