import type { Readable } from 'node:stream'
import { badRequest } from '../domain/service-error.ts'
import { clearTimeout, setTimeout } from '../real-timers.ts'
import type { ReserveBytes } from './message.ts'
import { ReceivedBytes } from './received-bytes.ts'

/** A body that is not complete must receive this much in each window: 4 kB per second on average. */
const WINDOW_MIN_BYTES = 81_920
const WINDOW_MS = 20_000

/** Real time: deadlines of bodies do not depend on the server's clock. */
export interface BodyTimers {
  setTimeout(callback: () => void, delayMs: number): { unref(): unknown }
  clearTimeout(timer: unknown): void
}

const REAL_TIMERS: BodyTimers = {
  setTimeout,
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
}

export interface BodyLimits {
  readonly maxBytes: number
  readonly reserve?: ReserveBytes | undefined
}

/**
 * Reads a body from a connection. Rejects with `bad_request` if it is larger than `maxBytes`, ends early, or arrives
 * slower than 4 kB per second in any 20 seconds; also with what `reserve` throws. A body that stalls ends within 40
 * seconds, however much of it has arrived.
 */
export function receiveBody(
  source: Readable,
  { maxBytes, reserve }: BodyLimits,
  timers: BodyTimers = REAL_TIMERS,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const body = new ReceivedBytes(maxBytes, reserve)
    const watch = () => {
      const sizeBefore = body.size
      const timer = timers.setTimeout(() => {
        const arrived = body.size - sizeBefore
        if (arrived >= WINDOW_MIN_BYTES) watching = watch()
        else fail(badRequest(`The body arrived too slowly: ${arrived} bytes in the last 20 s.`))
      }, WINDOW_MS)
      timer.unref()
      return timer
    }
    const stop = () => {
      timers.clearTimeout(watching)
      source.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
    }
    const fail = (error: unknown) => {
      stop()
      reject(error)
    }
    const onData = (chunk: Uint8Array) => {
      try {
        body.add(chunk)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = () => {
      stop()
      resolve(body.bytes())
    }
    const onClose = () => fail(badRequest('The connection closed before the whole body was received.'))
    let watching = watch()
    source.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}
