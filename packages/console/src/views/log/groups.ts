import type { Delivery } from '@formwire/contract/control'

/** Place of a delivery among those of the same response to several endpoints. */
export interface GroupPlace {
  readonly kind: 'alone' | 'first' | 'inner' | 'last'
  /** All deliveries of the group, in the order of the list. */
  readonly group: readonly Delivery[]
}

/**
 * Finds responses that were sent to several endpoints: neighbours in the list with the same form and response, each to
 * another endpoint. A replay has an endpoint that the group has already, so that it begins another group.
 */
export function groupPlaces(list: readonly Delivery[]): readonly GroupPlace[] {
  const places: GroupPlace[] = []
  for (let at = 0; at < list.length; ) {
    const group = groupFrom(list, at)
    for (const index of group.keys()) {
      const kind =
        group.length === 1 ? 'alone' : index === 0 ? 'first' : index === group.length - 1 ? 'last' : 'inner'
      places.push({ kind, group })
    }
    at += group.length
  }
  return places
}

function groupFrom(list: readonly Delivery[], at: number): readonly Delivery[] {
  const first = list[at] as Delivery
  const group = [first]
  // Test events have no response.
  if (first.response_id === 0) return group
  const endpoints = new Set([first.webhook_id])
  for (let next = at + 1; next < list.length; next++) {
    const delivery = list[next] as Delivery
    if (delivery.response_id !== first.response_id || delivery.form_id !== first.form_id) break
    if (endpoints.has(delivery.webhook_id)) break
    endpoints.add(delivery.webhook_id)
    group.push(delivery)
  }
  return group
}

/** Identifies a group while deliveries are added to the list: by its oldest delivery. */
export const groupKey = (group: readonly Delivery[]): string => group.at(-1)?.id ?? ''

/** The rows of the log: deliveries, and the place of each. */
export interface Rows {
  readonly list: readonly Delivery[]
  readonly places: readonly GroupPlace[]
}

/** Returns the list without the deliveries of collapsed groups, except the first of each. */
export function withoutCollapsed(
  list: readonly Delivery[],
  places: readonly GroupPlace[],
  collapsed: ReadonlySet<string>,
): Rows {
  if (collapsed.size === 0) return { list, places }
  const isShown = (_: unknown, at: number) => {
    const place = places[at] as GroupPlace
    return place.kind === 'alone' || place.kind === 'first' || !collapsed.has(groupKey(place.group))
  }
  return { list: list.filter(isShown), places: places.filter(isShown) }
}

/** Returns the deliveries that each row stands for: all of its group if that is collapsed into it. */
export const membersOf = (
  { list, places }: Rows,
  collapsed: ReadonlySet<string>,
): readonly (readonly Delivery[])[] =>
  places.map(({ kind, group }, at) =>
    kind === 'first' && collapsed.has(groupKey(group)) ? group : list.slice(at, at + 1),
  )

/** Returns the most urgent status of a group and how many deliveries have it, such as `1 of 3 failed`. */
export function groupState(group: readonly Delivery[]): string {
  const of = (status: Delivery['status']) => group.filter((delivery) => delivery.status === status).length
  const status = of('failed') > 0 ? 'failed' : of('pending') > 0 ? 'pending' : 'delivered'
  return `${of(status) === group.length ? '' : `${of(status)} of `}${group.length} ${status}`
}
