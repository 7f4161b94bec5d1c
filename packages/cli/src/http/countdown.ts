import type { Output } from '../output/output.ts'
import { spanText } from '../output/time.ts'
import type { Runtime } from '../runtime.ts'

/**
 * Announces a wait after a 429: once, or on a terminal with a countdown on the status line until `over` aborts. Returns
 * immediately.
 */
export function countDown(
  output: Output,
  { clock, stop }: Pick<Runtime, 'clock' | 'stop'>,
  seconds: number,
  over: AbortSignal,
): void {
  const text = (left: number): string => `rate limited; retrying in ${spanText(left * 1000)}`
  if (!output.showsProgress) {
    output.announce('rate_limited', text(seconds), { wait_seconds: seconds })
    return
  }
  const ended = AbortSignal.any([stop, over])
  ended.addEventListener('abort', () => output.waiting(''), { once: true })
  const tick = async (left: number): Promise<void> => {
    if (left === 0 || ended.aborted) return
    output.waiting(text(left))
    await clock.sleep(1000, ended)
    await tick(left - 1)
  }
  tick(seconds).catch(() => undefined)
}
