/**
 * Returns the milliseconds of CPU that the cheapest of several runs takes. Of one run they say little: they include the
 * tests of other threads.
 */
export async function leastCpuMs(work: () => unknown, runs = 5): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
