import type { Delivery } from '@formwire/contract/control'
import { VirtualGrid } from '../../ui/virtual-grid.tsx'
import { collapsed, deliveryColumns } from './delivery-row.tsx'
import { type GroupPlace, groupPlaces, membersOf, type Rows, withoutCollapsed } from './groups.ts'
import { toggleSelected } from './selection.ts'

/** Returns the rows of a list of deliveries: those of the same response together, collapsed ones left out. */
export const rowsOf = (list: readonly Delivery[]): Rows =>
  withoutCollapsed(list, groupPlaces(list), collapsed.value)

/** A table of deliveries. */
export function DeliveryTable({
  rows,
  label,
  onOpen,
  openIndex = -1,
  isOfEndpoint = false,
}: {
  rows: Rows
  label: string
  onOpen: (id: string) => void
  /** Position of the delivery that is open beside the table. @default -1, none */
  openIndex?: number
  /** Whether all deliveries are of one endpoint. */
  isOfEndpoint?: boolean
}) {
  const { list, places } = rows
  const onSelect = (index: number, isRange: boolean) =>
    toggleSelected(membersOf(rows, collapsed.peek()), index, isRange)
  return (
    <VirtualGrid
      label={label}
      class={isOfEndpoint ? 'deliveries of-endpoint' : 'deliveries'}
      columns={deliveryColumns((index) => places[index] as GroupPlace, onSelect, isOfEndpoint)}
      narrow={{
        columns: 'minmax(0, 1fr) auto auto',
        areas: `"what what when" "${isOfEndpoint ? 'attempts' : 'endpoint'} result status"`,
      }}
      items={list}
      keyOf={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      onSelect={onSelect}
      openIndex={openIndex}
    />
  )
}
