import type { JSX, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../ui/controls.tsx'

const middleOf = ({ offsetTop, offsetHeight }: HTMLElement): number => offsetTop + offsetHeight / 2

/**
 * Lets the rows of a list be dragged by a handle, or moved with Alt and the arrow keys. The others make room for the row; nothing is
 * moved before it is dropped, and Escape cancels.
 *
 * @param list The list. Its rows have the attributes of `rowOf`.
 * @param move Called with the positions before and after.
 */
export function useReorder(list: RefObject<HTMLElement>, move: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<{ from: number; to: number; by: number; room: number }>()
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
    const box = list.current
    const row = rows()[from]
    if (!box || !row) return
    /** In the list, which scrolls. */
    const heightOf = ({ clientY }: PointerEvent) => clientY - box.getBoundingClientRect().top
    const beganAt = heightOf(down)
    const room = row.offsetHeight + (Number.parseFloat(getComputedStyle(box).rowGap) || 0)
    let to = from
    const dragging = new AbortController()
    const options = { signal: dragging.signal, capture: true }
    const end = () => {
      dragging.abort()
      setDrag(undefined)
    }
    const follow = (event: PointerEvent) => {
      const by = heightOf(event) - beganAt
      const top = row.offsetTop + by
      const bottom = top + row.offsetHeight
      // An edge of the row has passed the middle of another one, without the room that this makes.
      to = rows().filter((one, at) => at !== from && middleOf(one) < (at < from ? top : bottom)).length
      setDrag({ from, to, by, room })
      rows()[to]?.scrollIntoView({ block: 'nearest' })
    }
    const drop = () => {
      end()
      handle.focus()
      moveTo(from, to, '.handle')
    }
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      end()
    }
    addEventListener('pointermove', follow, options)
    addEventListener('pointerup', drop, options)
    addEventListener('pointercancel', end, options)
    addEventListener('keydown', cancel, options)
  }
  const onKeyDown = (event: KeyboardEvent, from: number): void => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || by === undefined) return
    event.preventDefault()
    moveTo(from, from + by, (event.target as Element).matches('.handle') ? '.handle' : 'input')
  }
  /** Returns the attributes of a row. */
  const rowOf = (index: number, className: string): JSX.HTMLAttributes<HTMLLIElement> => {
    if (!drag) return { class: `${className} row-to-move`, style: {} }
    const { from, to, by, room } = drag
    const shift = index > from && index <= to ? -room : index < from && index >= to ? room : 0
    const isDragged = index === from
    return {
      class: `${className} row-to-move ${isDragged ? 'is-dragged' : 'makes-room'}`,
      style: { translate: `0 ${isDragged ? by : shift}px` },
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
  return { rowOf, handleOf, onKeyDown }
}

export type Reorder = ReturnType<typeof useReorder>
