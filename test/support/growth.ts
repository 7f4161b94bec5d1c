/** Shorter processor times are too coarse for a ratio. */
const TINY_MS = 3
/** Tests in other threads of the process count too, so the best of many runs is taken. */
const RUNS = 20
/** The first call also loads modules. */
const FIRST_CALL_MS = 250

/** Linear work takes 16 times as long for a text that is 16 times as long, quadratic work 256 times. */
export const STEEP = 64

/**
 * Returns how many times the processor time of a small size a large one takes, at the best of several runs each.
 *
 * @param enough No run follows once the ratio is as low.
 */
export async function growth(
  work: (size: number) => unknown,
  [small, large]: readonly [number, number],
  enough = STEEP,
): Promise<number> {
  let bestSmall = Number.POSITIVE_INFINITY
  let bestLarge = Number.POSITIVE_INFINITY
  let ratio = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run += 1) {
    bestSmall = Math.min(bestSmall, await processorMs(() => work(small)))
    // Quadratic work would take minutes for the large size.
    if (bestSmall > FIRST_CALL_MS) continue
    bestLarge = Math.min(bestLarge, await processorMs(() => work(large)))
    ratio = bestLarge / Math.max(bestSmall, TINY_MS)
    if (ratio <= enough) break
  }
  return ratio
}

async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
