import { UsageError } from '../errors/usage-error.ts'

const { queueMicrotask, setTimeout } = globalThis

/**
 * Sends a request, unless a test has replaced `queueMicrotask` by one that runs nothing: a response body would then never end, or
 * repeat until it is too large. `probe` tries what the transport uses, since Jest replaces a function that `fetch` does not use.
 *
 * @throws UsageError, and sends nothing.
 */
export function withMicrotasks<Result>(
  send: () => Promise<Result>,
  probe: () => Promise<boolean> = bodyEnds,
): Promise<Result> {
  return globalThis.queueMicrotask === queueMicrotask ? send() : requireMicrotasks(probe).then(send)
}

/** Whether the body of a `Response` ends. */
async function bodyEnds(): Promise<boolean> {
  const reader = new Response('.').body?.getReader()
  await reader?.read()
  return (await reader?.read())?.done === true
}

async function requireMicrotasks(probe: () => Promise<boolean>): Promise<void> {
  const nextTurn = new Promise<false>((resolve) => setTimeout(resolve, 0, false))
  if (await Promise.race([probe(), nextTurn])) return
  throw new UsageError(
    'Fake timers have replaced queueMicrotask, without which no HTTP response ends; exclude "queueMicrotask" and "nextTick" from what they fake.',
  )
}
