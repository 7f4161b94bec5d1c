import type { Readable, Writable } from 'node:stream'
import { isObjectOrArray } from '@formwire/internal/json'
import { type JSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** Largest message that is read, in bytes. */
const MESSAGE_MAX_BYTES = 4 * 1_048_576
/** Levels of a message. What reads or writes JSON recursively would exceed the stack with some thousands. */
const MESSAGE_MAX_DEPTH = 100

/** MCP on streams. It closes by itself after a message that is too large, and then no longer reads whether its input ends. */
export class LimitedTransport extends StdioServerTransport {
  #tell: (how: 'closed') => void = () => undefined
  readonly closed = new Promise<'closed'>((resolve) => {
    this.#tell = resolve
  })

  constructor(input: Readable, output: Writable) {
    super(input, output, { maxBufferSize: MESSAGE_MAX_BYTES })
  }

  override async start(): Promise<void> {
    const receive = this.onmessage
    this.onmessage = (message) => {
      if (isDeeperThan(message, MESSAGE_MAX_DEPTH)) this.#refuse(message)
      else receive?.(message)
    }
    await super.start()
  }

  override async close(): Promise<void> {
    await super.close()
    this.#tell('closed')
  }

  /** Answers a request with an error. Nobody waits for the answer to another message. */
  #refuse(message: JSONRPCMessage): void {
    const text = `the message has more than ${MESSAGE_MAX_DEPTH} levels of arrays and objects`
    this.onerror?.(new Error(text))
    if (!('method' in message && 'id' in message)) return
    const { id } = message
    const error = { code: ProtocolErrorCode.InvalidParams, message: text }
    this.send({ jsonrpc: '2.0', id, error }).catch(() => undefined)
  }
}

/** Level by level, since recursion would exceed the stack. */
function isDeeperThan(value: unknown, max: number): boolean {
  let level = [value].filter(isObjectOrArray)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === max) return true
    level = level.flatMap((part) => Object.values(part).filter(isObjectOrArray))
  }
  return false
}
