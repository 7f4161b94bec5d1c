import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Play, ScriptedAnswer } from './script.ts'

const ENDLESS_CHUNK = Buffer.alloc(16_384, 'formwire ')
const DRIP_INTERVAL_MS = 50

/** Plays one step on an open request. Ends early, and in silence, when the sender goes away or `signal` aborts. */
export async function playStep(play: Play, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const { socket } = response
  switch (play.kind) {
    case 'timeout':
      // The request stays open without a word until the sender gives up.
      return
    case 'reset':
      socket?.resetAndDestroy()
      return
    case 'garbage':
      socket?.end('this is not HTTP at all\r\n\r\n')
      return
    case 'answer':
      await playAnswer(play.answer, response, signal)
  }
}

async function playAnswer(
  answer: Required<ScriptedAnswer>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if (answer.delayMs > 0) await sleep(answer.delayMs, undefined, { signal }).catch(() => {})
  if (signal.aborted || response.destroyed) return
  response.writeHead(answer.status, answer.headers)
  switch (answer.ending) {
    case 'whole':
      response.end(answer.body)
      return
    case 'hang-body':
      response.write(answer.body.length > 0 ? answer.body : 'and then')
      return
    case 'endless-body':
      return writeEndlessly(response, signal)
    case 'drip':
      return drip(response, signal)
  }
}

/** As fast as the sender takes it, and no faster. */
async function writeEndlessly(response: ServerResponse, signal: AbortSignal): Promise<void> {
  while (!response.destroyed && !signal.aborted) {
    if (response.write(ENDLESS_CHUNK)) await new Promise((resolve) => setImmediate(resolve))
    else await nextOf(response, signal)
  }
}

/** One byte at a time, for ever. */
async function drip(response: ServerResponse, signal: AbortSignal): Promise<void> {
  while (!response.destroyed && !signal.aborted) {
    response.write('.')
    await sleep(DRIP_INTERVAL_MS, undefined, { signal }).catch(() => {})
  }
}

function nextOf(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    response.once('drain', done).once('close', done)
    signal.addEventListener('abort', done, { once: true })
  })
}
