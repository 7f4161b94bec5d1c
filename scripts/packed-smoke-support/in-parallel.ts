/** Number of tasks at a time: installs mostly wait for the disk and the network. */
const AT_A_TIME = 3

/** Runs tasks, a few at a time, in order. @throws the first error, after the running tasks have ended. */
export async function inParallel(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const queue = [...tasks]
  const work = async (): Promise<void> => {
    try {
      for (let task = queue.shift(); task; task = queue.shift()) await task()
    } catch (error) {
      queue.length = 0
      throw error
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: AT_A_TIME }, work))
  const failure = workers.find((worker) => worker.status === 'rejected')
  if (failure) throw failure.reason
}
