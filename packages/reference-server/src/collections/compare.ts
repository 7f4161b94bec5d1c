/** Key orders for `OrderedMap`. */
export const byNumber = (a: number, b: number): number => a - b

/** By code unit, since the order only serves lookups. */
export const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
