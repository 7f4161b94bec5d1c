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
  const groups: Delivery[][] = []
  for (const delivery of list) {
    const { response_id: response, form_id: form, webhook_id: endpoint } = delivery
    const group = groups.at(-1) ?? []
    const first = group[0]
    const isSame = first?.response_id === response && first.form_id === form
    // Test events have no response.
    if (isSame && response !== 0 && group.every(({ webhook_id: id }) => id !== endpoint)) group.push(delivery)
    else groups.push([delivery])
  }
  return groups.flatMap((group) => {
    const last = group.length - 1
    const kindOf = (at: number) =>
      last === 0 ? 'alone' : at === 0 ? 'first' : at === last ? 'last' : 'inner'
    return group.map((_, at) => ({ kind: kindOf(at), group }))
  })
}

/** Identifies a group while deliveries are added to the list: by its oldest delivery. */
export const groupKey = (group: readonly Delivery[]): string => group.at(-1)?.id ?? ''

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
