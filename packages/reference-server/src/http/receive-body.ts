import type { Readable } from 'node:stream'
import { BodyTooLargeError, badRequest } from '../domain/service-error.ts'
import { elapsedTime, type TimeSource } from '../real-timers.ts'
import { JOURNAL_BODY_BYTES } from '../resource-limits.ts'
import type { BodyStart, ReserveBytes } from './message.ts'

/** A body that is not complete must receive this much in each window: 4 kB per second on average. */
const WINDOW_MIN_BYTES = 81_920
const WINDOW_MS = 20_000

export interface BodyLimits {
  readonly maxBytes: number
  readonly reserve?: ReserveBytes | undefined
  /** Records the start of the body, also of one that is refused. */
  readonly start?: BodyStart | undefined
}

/**
 * Reads a body from a connection. Rejects with `bad_request` if it is larger than `maxBytes`, ends early, or arrives
 * slower than 4 kB per second in any 20 seconds; also with what `reserve` throws. A body that stalls ends within 40
 * seconds, however much of it has arrived.
 *
 * @param wakeAfter Measures real time: deadlines of bodies do not depend on the server's clock.
 */
export function receiveBody(
  source: Readable,
  { maxBytes, reserve, start }: BodyLimits,
  wakeAfter: TimeSource['wakeAfter'] = elapsedTime.wakeAfter,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const body = new ReceivedBytes(maxBytes, reserve)
    const watch = () => {
      const sizeBefore = body.size
      return wakeAfter(WINDOW_MS, () => {
        const arrived = body.size - sizeBefore
        if (arrived >= WINDOW_MIN_BYTES) stopWatching = watch()
        else fail(badRequest(`The body arrived too slowly: ${arrived} bytes in the last 20 s.`))
      })
    }
    const stop = () => {
      stopWatching()
      source.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
    }
    const fail = (error: unknown) => {
      stop()
      reject(error)
    }
    const onData = (chunk: Uint8Array) => {
      try {
        start?.add(chunk)
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
    let stopWatching = watch()
    source.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

/** Initial size of the buffer, in bytes. */
const FIRST_BYTES = 4096

/**
 * Collects a body in one buffer that doubles as needed. An array of chunks would use a hundred times the body's size for
 * chunks of one byte.
 */
export class ReceivedBytes {
  readonly #maxBytes: number
  readonly #reserve: ReserveBytes | undefined
  #buffer: Uint8Array = new Uint8Array()
  #size = 0

  constructor(maxBytes: number, reserve?: ReserveBytes) {
    this.#maxBytes = maxBytes
    this.#reserve = reserve
  }

  get size(): number {
    return this.#size
  }

  /** @throws ServiceError `bad_request` beyond the maximum, and what `reserve` throws; the chunk is then dropped. */
  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.byteLength
    if (size > this.#maxBytes) throw new BodyTooLargeError(this.#maxBytes)
    this.#reserve?.(chunk.byteLength)
    if (size > this.#buffer.byteLength) {
      const doubled = Math.min(this.#maxBytes, 2 * this.#buffer.byteLength)
      const larger = Buffer.allocUnsafeSlow(Math.max(size, doubled, FIRST_BYTES))
      larger.set(this.#buffer.subarray(0, this.#size))
      this.#buffer = larger
    }
    this.#buffer.set(chunk, this.#size)
    this.#size = size
  }

  /** Everything received so far. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size)
  }
}

/** Records the start of a body for the journal, as its chunks arrive. */
export class BodyRecorder implements BodyStart {
  readonly #start = new ReceivedBytes(JOURNAL_BODY_BYTES)
  size = 0
  isCut = false

  add(chunk: Uint8Array): void {
    // First, since it throws for a chunk that is not bytes, which a stream in process may have.
    this.#start.add(chunk.subarray(0, JOURNAL_BODY_BYTES - this.#start.size))
    this.size += chunk.byteLength
  }

  bytes(): Uint8Array {
    return this.#start.bytes()
  }
}
