/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

/** Returns the value that a share of the others is below, or NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Formats the median of paired changes (0.05 is +5 %) with its 95 % bootstrap interval. */
export function showChange(changes: readonly number[], random: () => number): string {
  const medians = Array.from({ length: 2_000 }, () =>
    median(changes.map(() => changes[Math.floor(random() * changes.length)] as number)),
  ).sort((a, b) => a - b)
  const show = (change: number): string => `${change > 0 ? '+' : ''}${(change * 100).toFixed(1)} %`
  const [low, high] = [medians[50] as number, medians[1_950] as number]
  return `${show(median(changes))} (95 %: ${show(low)} to ${show(high)}, ${changes.length} rounds)`
}

/** Returns a seeded random number generator (Mulberry32), so that every run uses the same order. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns the items in a random order. */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)
}
