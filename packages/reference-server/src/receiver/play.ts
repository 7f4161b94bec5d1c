import type { ServerResponse } from 'node:http'
import { drained } from '../http/transports/drained.ts'
import { nextTurn, sleep } from '../real-timers.ts'
import type { CompleteResponse, Play } from './script.ts'

const ENDLESS_CHUNK = Buffer.alloc(16_384, 'formwire ')
const DRIP_INTERVAL_MS = 50

/** Plays one step on an open request. Returns early, without an error, when the sender disconnects or `signal` aborts. */
export async function playStep(play: Play, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const { socket } = response
  switch (play.kind) {
    case 'timeout':
      // The request stays open, without a response, until the sender gives up.
      return
    case 'reset':
      socket?.resetAndDestroy()
      return
    case 'garbage':
      socket?.end('this is not HTTP at all\r\n\r\n')
      return
    case 'respond':
      await respond(play.response, response, signal)
  }
}

async function respond(
  scripted: CompleteResponse,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if (scripted.delayMs > 0) await sleep(scripted.delayMs, { signal, ref: false })
  if (signal.aborted || response.destroyed) return
  response.writeHead(scripted.status, scripted.headers)
  switch (scripted.ending) {
    case 'whole':
      response.end(scripted.body)
      return
    case 'hang-body':
      response.write(scripted.body.length > 0 ? scripted.body : 'and then')
      return
    case 'endless-body':
      return writeEndlessly(response, signal)
    case 'drip':
      return drip(response, signal)
  }
}

/** Writes as fast as the sender reads. */
async function writeEndlessly(response: ServerResponse, signal: AbortSignal): Promise<void> {
  while (!response.destroyed && !signal.aborted) {
    if (response.write(ENDLESS_CHUNK)) await nextTurn()
    else await drained(response, signal)
  }
}

/** Writes one byte at a time, forever. */
async function drip(response: ServerResponse, signal: AbortSignal): Promise<void> {
  while (!response.destroyed && !signal.aborted) {
    response.write('.')
    await sleep(DRIP_INTERVAL_MS, { signal, ref: false })
  }
}
