import { ReceivedBytes } from './receive-body.ts'

/** Bytes of a body that the journal keeps. */
export const BODY_START_BYTES = 16_384

/** The start of a body, and its size. */
export class BodyStart {
  readonly #start = new ReceivedBytes(BODY_START_BYTES)
  /** All bytes that have been received, also those after the start. */
  size = 0

  add(chunk: Uint8Array): void {
    this.size += chunk.byteLength
    this.#start.add(chunk.subarray(0, BODY_START_BYTES - this.#start.size))
  }

  bytes(): Uint8Array {
    return this.#start.bytes()
  }
}
