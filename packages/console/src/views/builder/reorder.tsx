import type { JSX, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../ui/controls.tsx'

/**
 * Lets the rows of a list be dragged by a handle, or moved with Alt and the arrow keys. Nothing is moved before the row is dropped,
 * and Escape cancels.
 *
 * @param list The list. Its rows have the attributes of `rowOf`.
 * @param move Called with the positions before and after.
 */
export function useReorder(list: RefObject<HTMLElement>, move: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<{ from: number; to: number; by: number } | undefined>(undefined)
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>(':scope > .row-to-move') ?? [])]
  // A row that moves in the page loses the focus.
  const focused = useRef<{ at: number; selector: string } | undefined>(undefined)
  useLayoutEffect(() => {
    const { at = -1, selector = '' } = focused.current ?? {}
    focused.current = undefined
    rows()[at]?.querySelector<HTMLElement>(selector)?.focus()
  })
  /** Moves a row, and the focus to a part of it. */
  const moveTo = (from: number, to: number, selector: string): void => {
    if (to < 0 || to >= rows().length) return
    focused.current = { at: to, selector }
    if (to !== from) move(from, to)
  }
  const start = (down: PointerEvent & { currentTarget: HTMLElement }, from: number): void => {
    if (down.button !== 0) return
    // Without the focus: what is selected stays until the row is dropped.
    down.preventDefault()
    const handle = down.currentTarget
    let to = from
    const dragging = new AbortController()
    const on = <Type extends 'pointermove' | 'pointerup' | 'pointercancel' | 'keydown'>(
      type: Type,
      listener: (event: WindowEventMap[Type]) => void,
    ) => addEventListener(type, listener, { signal: dragging.signal, capture: true })
    const end = () => {
      dragging.abort()
      setDrag(undefined)
    }
    on('pointermove', ({ clientY: y }) => {
      const others = rows().filter((_, index) => index !== from)
      const boxes = others.map((row) => row.getBoundingClientRect())
      to = boxes.filter(({ top, height }) => top + height / 2 < y).length
      setDrag({ from, to, by: y - down.clientY })
      rows()[to]?.scrollIntoView({ block: 'nearest' })
    })
    on('pointerup', () => {
      end()
      handle.focus()
      moveTo(from, to, '.handle')
    })
    on('pointercancel', end)
    on('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      end()
    })
  }
  const onKeyDown = (event: KeyboardEvent, from: number): void => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || by === undefined) return
    event.preventDefault()
    moveTo(from, from + by, (event.target as Element).matches('.handle') ? '.handle' : 'input')
  }
  /** Returns the attributes of a row. */
  const rowOf = (index: number, className: string): JSX.HTMLAttributes<HTMLLIElement> => {
    const isDragged = drag?.from === index
    const drop = drag?.to === index && !isDragged ? (index > drag.from ? 'drop-after' : 'drop-before') : ''
    return {
      class: `${className} row-to-move ${isDragged ? 'is-dragged' : drop}`,
      style: isDragged ? { translate: `0 ${drag.by}px` } : {},
    }
  }
  const handleOf = (index: number, label: string) => (
    <button
      type="button"
      class="button plain icon-only handle"
      aria-label={label}
      title="Drag, or Alt+↑ and Alt+↓"
      onPointerDown={(event) => start(event, index)}
      onKeyDown={(event) => onKeyDown(event, index)}
    >
      <Icon name="grip" />
    </button>
  )
  return { rowOf, handleOf, onKeyDown, moveTo }
}

export type Reorder = ReturnType<typeof useReorder>
