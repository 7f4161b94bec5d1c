import { JOURNAL_BODY_BYTES } from '../resource-limits.ts'
import type { BodyStart } from './message.ts'
import { ReceivedBytes } from './receive-body.ts'

/** Records the start of a body, as its chunks arrive. */
export class BodyRecorder implements BodyStart {
  readonly #start = new ReceivedBytes(JOURNAL_BODY_BYTES)
  size = 0
  isCut = false

  add(chunk: Uint8Array): void {
    this.size += chunk.byteLength
    this.#start.add(chunk.subarray(0, JOURNAL_BODY_BYTES - this.#start.size))
  }

  bytes(): Uint8Array {
    return this.#start.bytes()
  }
}
