import type { SleepClock } from '@formwire/internal/clock'
import { onAbort } from '@formwire/internal/on-abort'

/** The part of a process that {@link interrupt} uses. */
type Interruptible = Pick<NodeJS.Process, 'pid' | 'platform' | 'kill'> & {
  emit(event: 'SIGINT', signal: 'SIGINT'): boolean
}

/**
 * Ends this process as Ctrl-C does, for a terminal in raw mode, which sends no signal. On Windows a signal to a process ends it
 * without its listeners, so that these are called directly.
 */
export function interrupt(target: Interruptible = process): void {
  if (target.platform === 'win32' && target.emit('SIGINT', 'SIGINT')) return
  target.kill(target.pid, 'SIGINT')
}

/** Returns a promise that rejects once the signal aborts, and a function that ends this. */
export function rejectionOf(signal: AbortSignal | undefined): { promise: Promise<never>; forget(): void } {
  let forget = (): void => undefined
  const promise = new Promise<never>((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason)
    else forget = onAbort(signal, () => reject(signal?.reason))
  })
  // The signal may abort after the race has ended.
  promise.catch(() => undefined)
  return { promise, forget: () => forget() }
}

/** Resolves to whether work takes longer than this time. It may fail. */
export async function outlasts(work: Promise<unknown>, ms: number, clock: SleepClock): Promise<boolean> {
  const over = new AbortController()
  const ended = work.then(
    () => false,
    () => false,
  )
  const late = clock.sleep(ms, over.signal).then(
    () => true,
    () => false,
  )
  return await Promise.race([ended, late]).finally(() => over.abort(new Error('the work has ended')))
}
