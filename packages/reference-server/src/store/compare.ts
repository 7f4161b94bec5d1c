/** Orders of keys for `OrderedMap`. */
export const byNumber = (a: number, b: number): number => a - b

/** By code unit: the order is only there to find things again. */
export const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
