import type { Delivery } from '@formwire/contract/control'
import { signal } from '@preact/signals'

/** Ids of the selected deliveries. Those that are not listed stay selected until they are listed again. */
const selected = signal<ReadonlySet<string>>(new Set())

export const isSelected = (id: string): boolean => selected.value.has(id)

/** Returns the selected deliveries of a list, in its order. */
export const selectedOf = (list: readonly Delivery[]): readonly Delivery[] =>
  selected.value.size === 0 ? [] : list.filter(({ id }) => selected.value.has(id))

export function selectAll(list: readonly Delivery[]): void {
  selected.value = new Set(list.map(({ id }) => id))
}

export const clearSelection = (): void => selectAll([])

/** Selects a delivery, or no longer. */
export function toggleSelected(id: string): void {
  const ids = new Set(selected.peek())
  if (!ids.delete(id)) ids.add(id)
  selected.value = ids
}
