import { PassThrough } from 'node:stream'
import { helpUrlOf } from './help-page.ts'
import { nextTurn, queueMicrotask } from './real-timers.ts'

const { nextTick } = process

/** Fake timers have replaced a function that Node or `fetch` itself needs. */
export class FakeTimersError extends Error {
  override readonly name = 'FakeTimersError'
  constructor(replaced: string) {
    super(
      `Fake timers have replaced ${replaced}; exclude "nextTick" and "queueMicrotask" from what they fake.`,
    )
    // The SDK neither wraps nor retries an error of this kind.
    Object.defineProperty(this, Symbol.for('@formwire/sdk/error-kinds'), { value: ['UsageError'] })
  }

  /** URL of the page that explains the error. */
  get helpUrl(): string {
    return helpUrlOf(this.name)
  }
}

/** @throws FakeTimersError if Node's own callbacks do not run, without which it can neither connect nor read. */
export async function requireNextTick(): Promise<void> {
  if (process.nextTick === nextTick) return
  // Tries it, since Jest replaces a function that Node does not use.
  let closed = false
  new PassThrough().once('close', () => (closed = true)).destroy()
  await nextTurn()
  if (!closed) throw new FakeTimersError('process.nextTick')
}

/** @throws FakeTimersError if no body of a `Response` would end, or one would repeat. */
export async function requireMicrotasks(): Promise<void> {
  if (globalThis.queueMicrotask === queueMicrotask) return
  // Tries it, since Jest replaces a function that `fetch` does not use.
  if (!(await Promise.race([bodyEnds(), nextTurn()]))) throw new FakeTimersError('queueMicrotask')
}

async function bodyEnds(): Promise<boolean> {
  const reader = new Response('.').body?.getReader()
  await reader?.read()
  return (await reader?.read())?.done === true
}
