import { PassThrough } from 'node:stream'
import { recognizeCopies } from '@formwire/internal/error-class'
import { ExplainedError } from './explained-error.ts'
import { nextTurn } from './real-timers.ts'

/** Functions that were seen running what they are given. Not those of when this module loads: they may be fake already. */
const proven: { nextTick?: unknown; queueMicrotask?: unknown } = {}

/** Fake timers have replaced a function that Node or `fetch` itself needs. */
export class FakeTimersError extends ExplainedError {
  override readonly name = 'FakeTimersError'
  constructor(replaced: string) {
    super(
      `Fake timers have replaced ${replaced}; exclude "nextTick" and "queueMicrotask" from what they fake.`,
    )
    // The SDK neither wraps nor retries an error of this kind.
    Object.defineProperty(this, Symbol.for('@formwire/sdk/error-kinds'), { value: ['UsageError'] })
  }
}
recognizeCopies(FakeTimersError, 'FakeTimersError')

/** @throws FakeTimersError if Node's own callbacks do not run, without which it can neither connect nor read. */
export async function requireNextTick(): Promise<void> {
  const { nextTick } = process
  if (proven.nextTick === nextTick) return
  // Tries it, since Jest replaces a function that Node does not use.
  const closed = new Promise<true>((resolve) =>
    new PassThrough().once('close', () => resolve(true)).destroy(),
  )
  if (!(await Promise.race([closed, someTurns()]))) throw new FakeTimersError('process.nextTick')
  proven.nextTick = nextTick
}

/** @throws FakeTimersError if no body of a `Response` would end, or one would repeat. */
export async function requireMicrotasks(): Promise<void> {
  const { queueMicrotask } = globalThis
  if (proven.queueMicrotask === queueMicrotask) return
  // Tries it, since Jest replaces a function that `fetch` does not use.
  if (!(await Promise.race([bodyEnds(), someTurns()]))) throw new FakeTimersError('queueMicrotask')
  proven.queueMicrotask = queueMicrotask
}

/** Far more turns of the event loop than what does not depend on a fake function takes. */
async function someTurns(): Promise<false> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  return false
}

async function bodyEnds(): Promise<boolean> {
  const reader = new Response('.').body?.getReader()
  await reader?.read()
  return (await reader?.read())?.done === true
}
