import type { JSX, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../ui/controls.tsx'

/**
 * Lets the rows of a list be dragged by a handle, or moved with Alt and the arrow keys. A line shows where the row will be; Escape cancels.
 *
 * @param list The list. Its rows have the attributes of `rowOf`.
 * @param move Called with the positions before and after.
 */
export function useReorder(list: RefObject<HTMLElement>, move: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<{ from: number; to: number }>()
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
  const onKeyDown = (event: KeyboardEvent, from: number): void => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || by === undefined) return
    event.preventDefault()
    moveTo(from, from + by, (event.target as Element).matches('.handle') ? '.handle' : 'input')
  }
  /** Returns the attributes of a row. */
  const rowOf = (index: number, className: string): JSX.HTMLAttributes<HTMLLIElement> => {
    const { from = index, to } = drag ?? {}
    const place = index !== to || index === from ? '' : index > from ? 'drops-below' : 'drops-above'
    return {
      class: `${className} row-to-move ${place}`,
      onDragOver: (event) => {
        if (!drag) return
        event.preventDefault()
        if (index !== to) setDrag({ from, to: index })
      },
      onDrop: (event) => {
        if (!drag) return
        event.preventDefault()
        moveTo(drag.from, drag.to, '.handle')
      },
    }
  }
  const handleOf = (index: number, label: string) => (
    // biome-ignore lint/a11y/useSemanticElements: Firefox does not drag buttons.
    <span
      role="button"
      tabIndex={0}
      draggable
      class="button plain icon-only handle"
      aria-label={label}
      title="Drag, or Alt+↑ and Alt+↓"
      onDragStart={({ currentTarget, dataTransfer }) => {
        // Firefox drags nothing without data.
        dataTransfer?.setData('text/plain', label)
        dataTransfer?.setDragImage(currentTarget.closest('li') ?? currentTarget, 0, 0)
        setDrag({ from: index, to: index })
      }}
      onDragEnd={() => setDrag(undefined)}
      onKeyDown={(event) => onKeyDown(event, index)}
    >
      <Icon name="grip" />
    </span>
  )
  return { rowOf, handleOf, onKeyDown }
}

export type Reorder = ReturnType<typeof useReorder>
