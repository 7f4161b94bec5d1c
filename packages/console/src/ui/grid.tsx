// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot have rows of two lines in a narrow window.
// biome-ignore-all lint/a11y/useFocusableInteractive: the row is focusable, its cells and the headings are not.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the body of the grid handles the keys of all rows.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from './controls.tsx'

/** Rows that are shown at first, and each time that more are asked for. */
const PAGE = 200

/** A column of a wide table, and a part of the rows of a narrow one. */
export interface Column<Item> {
  /** Class of its cells, and its name in the areas of `narrow`. */
  readonly name: string
  readonly label: string
  /** Content of its heading. @default the label */
  readonly head?: () => ComponentChildren
  /** As in `grid-template-columns`. */
  readonly width: string
  /** Smallest width of the table, in rem, that has room for it. @default any */
  readonly from?: number
  readonly cell: (item: Item) => ComponentChildren
}

/** Returns a column. @param from Smallest width of the table, in rem, that has room for it. @default 0, any */
export const column = <Item,>(
  name: string,
  label: string,
  width: string,
  cell: Column<Item>['cell'],
  from = 0,
): Column<Item> => ({ name, label, width, cell, from })

interface GridProps<Item> {
  /** Accessible name of the table. */
  readonly label: string
  readonly class: string
  readonly columns: readonly Column<Item>[]
  /** Width in rem below which a wide table scrolls sideways. @default 0 */
  readonly leastRem?: number
  /** The two lines of the rows of a table below a width (56rem): the columns that it names, in `grid-template` syntax. */
  readonly narrow: { readonly belowRem?: number; readonly columns: string; readonly areas: string }
  readonly items: readonly Item[]
  /** Identity of a row, so that the focus stays when rows are added above. */
  readonly keyOf: (item: Item) => string
  /** Called on Enter and on a click anywhere on the row. */
  readonly onOpen: (item: Item) => void
  /** Called on the space bar, in a list whose rows can be selected. */
  readonly onSelect?: (item: Item) => void
  /** Position of the row that is open beside the list, -1 if there is none. @default -1 */
  readonly openIndex?: number
  /** Loads more rows, if there are. */
  readonly onMore?: (() => void) | undefined
}

/** The row of a list that has the focus, or gets it: the one that was used last, or else the first. */
export const currentRow = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('.grid [role=row][tabindex="0"]')

/**
 * A table with rows of one line, or of two in a narrow window. It is one tab stop: the arrow keys, Home and End move the focus; Enter
 * opens a row, and the space bar selects it.
 */
export function Grid<Item>(props: GridProps<Item>) {
  const { items, keyOf, narrow, openIndex = -1, leastRem = 0 } = props
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  // Wide until it is measured, before the first painting.
  const [widthRem, setWidthRem] = useState(Number.POSITIVE_INFINITY)
  const [limit, setLimit] = useState(PAGE)
  const [activeKey, setActiveKey] = useState<string>()
  const isNarrow = widthRem < (narrow.belowRem ?? 56)
  const columns = props.columns.filter(({ name, from = 0 }) =>
    isNarrow ? narrow.areas.split(/[ "]+/).includes(name) : widthRem >= from,
  )

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setWidthRem(element.clientWidth / rem)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const open = items[openIndex]
  const openKey = open && keyOf(open)
  // A row that is opened by other means than a click, such as a link or a key, must be visible.
  useLayoutEffect(() => {
    if (openKey === undefined) return
    setActiveKey(openKey)
    body.current?.children[openIndex]?.scrollIntoView({ block: 'nearest' })
  }, [openKey])

  const shown = items.slice(0, Math.max(limit, openIndex + 1))
  const rest = items.length - shown.length
  const activeIndex = Math.max(
    0,
    shown.findIndex((item) => keyOf(item) === activeKey),
  )

  const onKeyDown = (event: KeyboardEvent) => {
    const rows = [...(body.current?.children ?? [])] as HTMLElement[]
    const at = rows.indexOf(event.target as HTMLElement)
    const item = shown[at]
    if (!item) return
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }
    const target = new Map(Object.entries(steps)).get(event.key)
    if (target !== undefined) rows[target]?.focus()
    else if (event.key === 'Enter') props.onOpen(item)
    else if (event.key === ' ' && props.onSelect) props.onSelect(item)
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={scroller}
      class={`grid ${props.class} ${isNarrow ? 'is-narrow' : ''}`}
      style={{
        '--columns': isNarrow ? narrow.columns : columns.map(({ width }) => width).join(' '),
        '--areas': isNarrow ? narrow.areas : 'none',
        '--least': isNarrow ? '0' : `${leastRem}rem`,
      }}
    >
      <div role="grid" aria-label={props.label} aria-rowcount={items.length + 1}>
        {isNarrow ? null : (
          <div class="grid-head" role="rowgroup">
            <div class="grid-row" role="row" aria-rowindex={1}>
              {columns.map(({ name, label, head }) => (
                <div key={name} role="columnheader" class={`cell bar ${name}`}>
                  {head?.() ?? label}
                </div>
              ))}
            </div>
          </div>
        )}
        <div ref={body} class="grid-body" role="rowgroup" onKeyDown={onKeyDown}>
          {shown.map((item, index) => {
            const key = keyOf(item)
            return (
              <div
                key={key}
                role="row"
                class="grid-row"
                aria-rowindex={index + 2}
                aria-selected={index === openIndex}
                tabIndex={index === activeIndex ? 0 : -1}
                onFocus={() => setActiveKey(key)}
                onClick={(event) => {
                  setActiveKey(key)
                  // Links, buttons, menus and checkboxes in the row handle their clicks themselves.
                  if (!(event.target as HTMLElement).closest('a, button, label, .menu')) props.onOpen(item)
                }}
              >
                {columns.map(({ name, cell }) => (
                  <div key={name} role="gridcell" class={`cell bar ${name}`} style={{ '--area': name }}>
                    {cell(item)}
                  </div>
                ))}
              </div>
            )
          })}
        </div>
      </div>
      {rest > 0 ? (
        <Button class="button load-more" run={() => setLimit(shown.length + PAGE)}>
          Load {Math.min(PAGE, rest)} more of {rest.toLocaleString('en')}
        </Button>
      ) : props.onMore ? (
        <Button class="button load-more" run={props.onMore}>
          Load more
        </Button>
      ) : null}
    </div>
  )
}
