import type { Socket } from 'node:net'

/** Position of the status digits in a status line such as `HTTP/1.1 100 Continue`. */
const STATUS_AT = 9
const STATUS_END = 12

const [ZERO, ONE, TWO, LINE_FEED, CARRIAGE_RETURN] = [0x30, 0x31, 0x32, 0x0a, 0x0d]

/**
 * Accepts an unrequested `100 Continue`, which any server may send (RFC 9110, 15.2). undici closes the connection on it
 * but ignores other interim responses, so this passes a 100 on as 102. Only status lines are inspected, and nothing is
 * buffered.
 */
export function acceptContinue<Connection extends Socket>(socket: Connection): Connection {
  const { read, write } = socket
  const statusLines = new StatusLines()
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read.call(socket, size)
    if (chunk) statusLines.scan(chunk)
    return chunk
  }
  // A request is written completely before its response is read, after the previous response has ended.
  socket.write = ((...chunk: Parameters<Socket['write']>) => {
    statusLines.expect()
    return write.apply(socket, chunk)
  }) as Socket['write']
  return socket
}

/** Parses the beginning of a response, in any number of chunks, up to the end of its last status line. */
class StatusLines {
  /** Bytes of the status line read. `STATUS_END`: the final response has begun, and the rest is not inspected. */
  #seen = STATUS_END
  /** Inside an interim response, whose remaining head is skipped. */
  #interim = false
  /** The status begins with `1`, or with `10`. */
  #digits = 0
  #lineIsEmpty = false

  expect(): void {
    this.#seen = 0
    this.#digits = 0
    this.#interim = false
  }

  scan(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      if (this.#interim) this.#passHead(byte)
      else if (this.#seen < STATUS_END) {
        if (this.#isContinue(byte)) chunk[at] = TWO
      } else return
    }
  }

  /** Reads a byte of a status line. Returns whether it is the last digit of `100`. */
  #isContinue(byte: number): boolean {
    const place = this.#seen
    this.#seen += 1
    if (byte === (place === STATUS_AT ? ONE : ZERO) && this.#digits === place - STATUS_AT) this.#digits += 1
    if (this.#seen < STATUS_END) return false
    this.#interim = this.#digits > 0
    this.#lineIsEmpty = false
    return this.#digits === 3
  }

  /** Reads a byte of the head of an interim response. The next status line begins after its empty line. */
  #passHead(byte: number): void {
    if (byte === LINE_FEED) {
      if (this.#lineIsEmpty) this.expect()
      else this.#lineIsEmpty = true
    } else if (byte !== CARRIAGE_RETURN) this.#lineIsEmpty = false
  }
}
