import type { ComponentChildren } from 'preact'

export interface TableColumn<Item> {
  readonly label: ComponentChildren
  readonly cell: (item: Item) => ComponentChildren
  /** Whether it names the row. */
  readonly isName?: boolean
  readonly class?: string
}

interface TableProps<Item extends { readonly id: number }> {
  readonly columns: readonly TableColumn<Item>[]
  readonly items: readonly Item[]
}

/** A table of few rows. A long list is a `Grid`. */
export function Table<Item extends { readonly id: number }>({ columns, items }: TableProps<Item>) {
  return (
    <table class="plain-table">
      <thead>
        <tr>
          {columns.map(({ label, class: className }, index) => (
            <th key={index} scope="col" class={className}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            {columns.map(({ cell, isName, class: className }, index) => {
              const Cell = isName ? 'th' : 'td'
              return (
                <Cell key={index} scope={isName ? 'row' : undefined} class={className}>
                  {cell(item)}
                </Cell>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
