import { JOURNAL_BODY_BYTES } from '../resource-limits.ts'
import type { BodyStart } from './message.ts'
import { ReceivedBytes } from './receive-body.ts'

/** Records the start of a body, as its chunks arrive. */
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
