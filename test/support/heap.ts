import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/**
 * Returns the bytes of this thread's heap that are still in use, after a full collection. Without one, the figure depends on when
 * the engine collects, which differs from machine to machine.
 */
export function liveHeap(): number {
  if (!collect) {
    // The function exists in contexts that are made after the flag is set.
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
  return process.memoryUsage().heapUsed
}
