import { PassThrough } from 'node:stream'
import { helpUrlOf } from './help-page.ts'
import { nextTurn } from './real-timers.ts'

const { nextTick } = process

/** Fake timers have replaced `process.nextTick`, which Node itself needs to connect, read and write. */
export class FakeTimersError extends Error {
  override readonly name = 'FakeTimersError'

  constructor() {
    super(
      'Fake timers have replaced process.nextTick, without which Node can neither connect nor read; exclude "nextTick" and "queueMicrotask" from what they fake.',
    )
  }

  /** URL of the page that explains the error. */
  get helpUrl(): string {
    return helpUrlOf(this.name)
  }
}

/** @throws FakeTimersError if Node's own callbacks do not run. */
export async function requireNextTick(): Promise<void> {
  if (process.nextTick === nextTick) return
  // Tries it, since Jest replaces a function that Node does not use.
  let closed = false
  new PassThrough().once('close', () => (closed = true)).destroy()
  await nextTurn()
  if (!closed) throw new FakeTimersError()
}
