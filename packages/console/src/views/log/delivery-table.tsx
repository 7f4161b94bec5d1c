import type { Delivery } from '@formwire/contract/control'
import { VirtualGrid } from '../../ui/virtual-grid.tsx'
import { COLUMNS, collapsed, DeliveryRow } from './delivery-row.tsx'
import { groupPlaces, membersOf, type Place, type Rows, withoutCollapsed } from './groups.ts'
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
      columns={COLUMNS}
      count={list.length}
      keyOf={(index) => (list[index] as Delivery).id}
      row={(index) => (
        <DeliveryRow
          delivery={list[index] as Delivery}
          place={places[index] as Place}
          onSelect={(isRange) => onSelect(index, isRange)}
        />
      )}
      onOpen={(index) => onOpen((list[index] as Delivery).id)}
      onSelect={onSelect}
      openIndex={openIndex}
    />
  )
}
