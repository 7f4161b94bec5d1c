// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave out the rows that are not visible.
// biome-ignore-all lint/a11y/useFocusableInteractive: the row is focusable, its cells and the headings are not.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the body of the grid handles the keys of all rows.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

const readRem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/** Pixels per rem, so that rows grow with the text size. */
const rem = signal(readRem())
addEventListener('resize', () => {
  rem.value = readRem()
})

/** Rows rendered above and below the visible ones, so that fast scrolling does not show blanks. */
const OVERSCAN = 6
const ROW_REM = 2.375
const NARROW_ROW_REM = 4.25

/** A column of a wide table, and a part of the rows of a narrow one. */
export interface Column<Item> {
  /** Class of its cells, and its name in the areas of `narrow`. */
  readonly name: string
  readonly label: string
  /** Content of its heading. @default the label */
  readonly head?: () => ComponentChildren
  /** As in `grid-template-columns`; it may depend on the width of the table in rem. */
  readonly width: string | ((tableRem: number) => string)
  /** Smallest width of the table, in rem, that has room for it. @default any */
  readonly from?: number
  readonly cell: (item: Item, index: number) => ComponentChildren
}

/** Returns a column that a table of any width has. */
export const column = <Item,>(
  name: string,
  label: string,
  width: Column<Item>['width'],
  cell: Column<Item>['cell'],
): Column<Item> => ({ name, label, width, cell })

export interface VirtualGridProps<Item> {
  /** Accessible name of the table. */
  readonly label: string
  readonly class: string
  readonly columns: readonly Column<Item>[]
  /** The two lines of the rows of a table below a width (56rem): the columns that it names, in `grid-template` syntax. */
  readonly narrow: { readonly belowRem?: number; readonly columns: string; readonly areas: string }
  readonly items: { readonly length: number; at(index: number): Item | undefined }
  /** Identity of a row, so that the focus and the scroll position stay when rows are added above. */
  readonly keyOf: (item: Item, index: number) => string
  /** Called on Enter and on a click anywhere on the row. */
  readonly onOpen: (item: Item) => void
  /** Called on the space bar, in a list whose rows can be selected. `isRange` with Shift. */
  readonly onSelect?: (index: number, isRange: boolean) => void
  /** Position of the row that is open beside the list, -1 if there is none. @default -1 */
  readonly openIndex?: number
  /** Position of the row that the list begins with, below two others, -1 if that is the first. @default -1 */
  readonly startIndex?: number
  /** Called with the range of visible rows, for lists that load while scrolling. */
  readonly onRange?: ((first: number, last: number) => void) | undefined
}

/** The row of a list that has the focus, or gets it: the one that was used last, or else the first. */
export const currentRow = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('.grid [role=row][tabindex="0"]')

/**
 * A table of any length that renders only the visible rows, all of the same height: one line, or two in a narrow table. The arrow keys, Home, End, Page Up and
 * Page Down move the focus; Enter opens a row, and the space bar selects it. Rows added on top do not move the visible rows, unless the list is scrolled to
 * the top.
 */
export function VirtualGrid<Item>(props: VirtualGridProps<Item>) {
  const { items, narrow, openIndex = -1, startIndex = -1 } = props
  const count = items.length
  const itemAt = (index: number) => items.at(index) as Item
  const keyOf = (index: number) => props.keyOf(itemAt(index), index)
  const scroller = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  // The visible part of the rows, in pixels. Wide until it is measured, before the first painting.
  const [view, setView] = useState({ top: 0, height: 600, width: Number.POSITIVE_INFINITY })
  const isNarrow = view.width < (narrow.belowRem ?? 56) * rem.value
  const tableRem = view.width / rem.value
  const columns = props.columns.filter(({ name, from = 0 }) =>
    isNarrow ? narrow.areas.split(/[ "]+/).includes(name) : tableRem >= from,
  )
  const widths = columns.map(({ width }) => (typeof width === 'string' ? width : width(tableRem)))
  const rowHeight = Math.round((isNarrow ? NARROW_ROW_REM : ROW_REM) * rem.value)
  const measure = () => {
    const element = scroller.current
    if (!element) return
    // The head is sticky: it covers the top of the scrolled rows. The selection bar covers the end, which the list's padding leaves free.
    const covered = Number.parseFloat(getComputedStyle(element).paddingBottom)
    const height = element.clientHeight - (head.current?.offsetHeight ?? 0) - covered
    setView({ top: element.scrollTop, height, width: element.clientWidth })
  }
  const [activeKey, setActiveKey] = useState<string>()
  const wantsFocus = useRef(false)
  const anchor = useRef<{ key: string; index: number }>()

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // Rows of two lines have no head.
  useLayoutEffect(measure, [isNarrow])

  const first = Math.max(0, Math.min(Math.floor(view.top / rowHeight), count - 1))
  const last = Math.min(count - 1, Math.ceil((view.top + view.height) / rowHeight))

  const indexOf = (key: string): number => {
    for (let index = 0; index < count; index++) if (keyOf(index) === key) return index
    return -1
  }

  // Keeps the first visible row in place when rows are added above it.
  useLayoutEffect(() => {
    const held = anchor.current
    // Uses the state, because reading scrollTop would cause a layout in every frame.
    if (!held || view.top === 0 || count === 0) return
    if (held.index < count && keyOf(held.index) === held.key) return
    const index = indexOf(held.key)
    if (index !== -1 && scroller.current) scroller.current.scrollTop += (index - held.index) * rowHeight
  })
  useLayoutEffect(() => {
    anchor.current = count > 0 ? { key: keyOf(first), index: first } : undefined
  })

  const { onRange } = props
  useLayoutEffect(() => {
    if (count > 0) onRange?.(first, last)
  }, [first, last, count, onRange])

  const scrollTo = (index: number) => {
    const element = scroller.current
    if (!element) return
    const above = index * rowHeight
    if (above < element.scrollTop) element.scrollTop = above
    else if (above + rowHeight > element.scrollTop + view.height)
      element.scrollTop = above + rowHeight - view.height
    // Before the event of scrolling, so that rows which arrive meanwhile do not move the row away.
    measure()
  }

  // A row that is opened by other means than a click, such as a link or a key, must be visible, also once a smaller window has
  // made its rows higher. A clicked row stays where it is, also at an edge of the table.
  const openKey = openIndex === -1 ? undefined : keyOf(openIndex)
  const isMeasured = view.width !== Number.POSITIVE_INFINITY
  const shownHeight = useRef(rowHeight)
  useLayoutEffect(() => {
    if (openKey === undefined || !isMeasured) return
    if (openKey !== activeKey || rowHeight !== shownHeight.current) scrollTo(openIndex)
    shownHeight.current = rowHeight
    setActiveKey(openKey)
  }, [openKey, isMeasured, rowHeight])

  useLayoutEffect(() => {
    if (!isMeasured || openIndex !== -1 || startIndex < 3 || !scroller.current) return
    scroller.current.scrollTop = (startIndex - 2) * rowHeight
    measure()
  }, [isMeasured])

  const activeIndex = activeKey === undefined ? 0 : Math.max(0, indexOf(activeKey))
  const from = Math.max(0, first - OVERSCAN)
  const to = Math.min(count - 1, last + OVERSCAN)
  const indices = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  // The focused row stays in the page while scrolling, or the focus would be lost.
  if (activeIndex < from) indices.unshift(activeIndex)
  if (activeIndex > to && count > 0) indices.push(activeIndex)

  // The bar that comes with the first selected row must not cover that one.
  useLayoutEffect(() => {
    if (isMeasured && document.activeElement?.matches('[role=row]')) scrollTo(activeIndex)
  }, [view.height])

  const moveTo = (index: number) => {
    const target = Math.max(0, Math.min(count - 1, index))
    scrollTo(target)
    wantsFocus.current = true
    setActiveKey(keyOf(target))
  }

  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    scroller.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus({ preventScroll: true })
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.getAttribute('role') !== 'row') return
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1,
      PageDown: activeIndex + page,
      PageUp: activeIndex - page,
      Home: 0,
      End: count - 1,
    }
    const target = steps[event.key]
    if (target !== undefined) {
      event.preventDefault()
      moveTo(target)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      props.onOpen(itemAt(activeIndex))
    } else if (event.key === ' ' && props.onSelect) {
      event.preventDefault()
      props.onSelect(activeIndex, event.shiftKey)
    }
  }

  return (
    <div
      ref={scroller}
      class={`grid ${props.class} ${isNarrow ? 'is-narrow' : ''}`}
      role="grid"
      aria-label={props.label}
      aria-rowcount={count + 1}
      style={{
        '--columns': isNarrow ? narrow.columns : widths.join(' '),
        '--areas': isNarrow ? narrow.areas : 'none',
      }}
      onScroll={measure}
    >
      {isNarrow ? null : (
        <div ref={head} class="grid-head" role="rowgroup">
          <div class="grid-row" role="row" aria-rowindex={1}>
            {columns.map(({ name, label, head }) => (
              <div key={name} role="columnheader" class={`cell bar ${name}`}>
                {head?.() ?? label}
              </div>
            ))}
          </div>
        </div>
      )}
      <div
        class="grid-body"
        role="rowgroup"
        style={{ height: `${count * rowHeight}px` }}
        onKeyDown={onKeyDown}
      >
        {indices.map((index) => {
          const key = keyOf(index)
          return (
            <div
              key={key}
              role="row"
              class="grid-row"
              aria-rowindex={index + 2}
              aria-selected={index === openIndex}
              tabIndex={index === activeIndex ? 0 : -1}
              style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
              onFocus={() => setActiveKey(key)}
              onClick={(event) => {
                setActiveKey(key)
                // Links, buttons and checkboxes in the row handle their clicks themselves.
                if ((event.target as HTMLElement).closest('a, button, label')) return
                props.onOpen(itemAt(index))
              }}
            >
              {columns.map(({ name, cell }) => (
                <div key={name} role="gridcell" class={`cell bar ${name}`} style={{ '--area': name }}>
                  {cell(itemAt(index), index)}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}
