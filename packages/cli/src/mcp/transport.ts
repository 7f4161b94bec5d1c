import type { Readable } from 'node:stream'
import type { SleepClock } from '@formwire/internal/clock'
import { isObjectOrArray, parseJson } from '@formwire/internal/json'
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isSpecType,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import type { TextStream } from '../runtime.ts'

/** Largest message that is read, in bytes. */
const MESSAGE_MAX_BYTES = 4 * 1_048_576
/** Levels of a message. What reads or writes JSON recursively would exceed the stack with some thousands. */
export const MAX_DEPTH = 100
/** Milliseconds after the end of the input in which calls are answered: longer than a tool may take. */
const LAST_ANSWERS_MS = 30_000

const LINE_FEED = 0x0a

/**
 * MCP on streams, one message per line. What is not a message is refused with an error of JSON-RPC. After the end of the input, calls
 * that are pending are answered.
 */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  #finish: () => void = () => undefined
  /** Resolves once the input has ended and nothing is left to answer, or after `close`. */
  readonly finished = new Promise<void>((resolve) => {
    this.#finish = resolve
  })
  readonly #input: Readable
  readonly #output: TextStream
  readonly #clock: SleepClock
  /** The line that is being read. */
  #parts: Buffer[] = []
  #size = 0
  /** Requests of the client that are not answered yet. */
  readonly #pending = new Set<RequestId>()
  /** Requests to the client that it has not answered yet. */
  readonly #asked = new Set<RequestId>()
  #hasEnded = false
  readonly #over = new AbortController()

  constructor(input: Readable, output: TextStream, clock: SleepClock) {
    this.#input = input
    this.#output = output
    this.#clock = clock
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#read)
    for (const event of ['end', 'close', 'error']) this.#input.once(event, this.#end)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message)
    if (!('id' in message) || message.id === undefined) return
    if ('method' in message) {
      this.#asked.add(message.id)
      if (this.#hasEnded) this.#answerQuestions()
    } else this.#settle(message.id)
  }

  async close(): Promise<void> {
    if (this.#over.signal.aborted) return
    this.#over.abort()
    this.#input.off('data', this.#read).pause()
    for (const event of ['end', 'close', 'error']) this.#input.off(event, this.#end)
    this.#finish()
    this.onclose?.()
  }

  readonly #read = (chunk: Buffer): void => {
    let start = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, at))
      this.#endLine()
      start = at + 1
    }
    this.#keep(chunk.subarray(start))
  }

  #keep(part: Buffer): void {
    this.#size += part.length
    if (this.#size > MESSAGE_MAX_BYTES) this.#parts = []
    else this.#parts.push(part)
  }

  #endLine(): void {
    const text = Buffer.concat(this.#parts).toString()
    const size = this.#size
    this.#parts = []
    this.#size = 0
    if (size > MESSAGE_MAX_BYTES) {
      const problem = `the message has ${size} bytes, and at most ${MESSAGE_MAX_BYTES} are read`
      this.#refuse(ProtocolErrorCode.InvalidRequest, problem)
      return
    }
    if (text.trim() === '') return
    const message = parseJson(text)
    if (message === undefined) this.#refuse(ProtocolErrorCode.ParseError, 'the line is not valid JSON')
    else this.#receive(message)
  }

  #receive(message: unknown): void {
    const isDeep = isDeeperThan(message, MAX_DEPTH)
    if (isDeep || !isSpecType.JSONRPCMessage(message)) {
      const [code, problem] = isDeep
        ? [
            ProtocolErrorCode.InvalidParams,
            `the message has more than ${MAX_DEPTH} levels of arrays and objects`,
          ]
        : [ProtocolErrorCode.InvalidRequest, 'the message is not a request of JSON-RPC 2.0']
      const { id, method, result, error } = Object(message) as Record<string, unknown>
      const isNotification = typeof method === 'string' && id === undefined
      if (isNotification || (result ?? error) !== undefined) this.onerror?.(new Error(problem))
      else this.#refuse(code, problem, isSpecType.RequestId(id) ? id : null)
      return
    }
    if (isJSONRPCRequest(message)) {
      // A subscription is answered when it ends.
      if (message.method !== 'subscriptions/listen') this.#pending.add(message.id)
    } else if (isJSONRPCNotification(message)) {
      const { requestId } = Object(message.params) as { requestId?: RequestId }
      if (message.method === 'notifications/cancelled' && requestId !== undefined) this.#settle(requestId)
    } else if (message.id !== undefined) this.#asked.delete(message.id)
    this.onmessage?.(message)
  }

  #refuse(code: number, message: string, id: RequestId | null = null): void {
    this.onerror?.(new Error(message))
    this.#write({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => undefined)
  }

  #write(message: object): Promise<void> {
    if (this.#over.signal.aborted) return Promise.reject(new Error('the connection is closed'))
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  #settle(id: RequestId): void {
    this.#pending.delete(id)
    if (this.#hasEnded && this.#pending.size === 0) this.#finish()
  }

  readonly #end = (): void => {
    if (this.#hasEnded) return
    this.#endLine()
    this.#hasEnded = true
    this.#answerQuestions()
    if (this.#pending.size === 0) this.#finish()
    this.#clock.sleep(LAST_ANSWERS_MS, this.#over.signal).then(this.#finish, () => undefined)
  }

  /** After the end of the input no answer arrives. */
  #answerQuestions(): void {
    const error = { code: ProtocolErrorCode.InternalError, message: 'the input has ended' }
    for (const id of this.#asked) this.onmessage?.({ jsonrpc: '2.0', id, error })
    this.#asked.clear()
  }
}

/** Whether a value has more levels of arrays and objects. Level by level, since recursion would exceed the stack. */
export function isDeeperThan(value: unknown, max: number): boolean {
  let level = [value].filter(isObjectOrArray)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === max) return true
    level = level.flatMap((part) => Object.values(part).filter(isObjectOrArray))
  }
  return false
}
