import type { Delivery } from '@formwire/contract/control'
import { signal } from '@preact/signals'

/** Ids of the selected deliveries. Those that are not listed stay selected until they are listed again. */
const selected = signal<ReadonlySet<string>>(new Set())

/** The one that was selected last: Shift extends the selection from there. */
let anchor: string | undefined

export const isSelected = (id: string): boolean => selected.value.has(id)

/** Returns the selected deliveries of a list, in its order. */
export const selectedOf = (list: readonly Delivery[]): readonly Delivery[] =>
  selected.value.size === 0 ? [] : list.filter(({ id }) => selected.value.has(id))

export function selectAll(list: readonly Delivery[]): void {
  selected.value = new Set(list.map(({ id }) => id))
}

export const clearSelection = (): void => selectAll([])

/**
 * Selects a row, or no longer.
 *
 * @param rows The deliveries that each listed row stands for.
 * @param isRange Whether all rows between the last one and this one become as this one.
 */
export function toggleSelected(
  rows: readonly (readonly Delivery[])[],
  index: number,
  isRange: boolean,
): void {
  const ids = new Set(selected.peek())
  const id = rows[index]?.[0]?.id
  const isAdded = id !== undefined && !ids.has(id)
  const last = isRange ? rows.findIndex(([first]) => first?.id === anchor) : -1
  const from = last === -1 ? index : Math.min(last, index)
  for (const delivery of rows.slice(from, Math.max(last, index) + 1).flat()) {
    if (isAdded) ids.add(delivery.id)
    else ids.delete(delivery.id)
  }
  anchor = id
  selected.value = ids
}
