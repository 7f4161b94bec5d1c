/** Number of tasks at a time: installs mostly wait for the disk and the network. */
const AT_A_TIME = 3

/** Runs tasks, a few at a time, in order. @returns their results in order. @throws the first error, after the running tasks have ended. */
export async function inParallel(tasks: (() => Promise<unknown>)[]): Promise<unknown[]> {
  const results: unknown[] = []
  let next = 0
  let failed = false
  const work = async (): Promise<void> => {
    while (next < tasks.length && !failed) {
      const index = next
      next += 1
      try {
        results[index] = await (tasks[index] as () => Promise<unknown>)()
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: AT_A_TIME }, work))
  const failure = workers.find((worker) => worker.status === 'rejected')
  if (failure) throw failure.reason
  return results
}
