import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DELIVERY_HEADERS } from '@formwire/contract'
import { describeNearest, type Match, matches } from './match.ts'
import { playStep } from './play.ts'
import { describeRequest, type ReceivedDelivery } from './received-delivery.ts'
import { type Play, readStep, type ScriptStep } from './script.ts'

export interface MockReceiverOptions {
  /** Verifies signatures with it; several while one replaces another. What does not verify is answered 401. */
  secret?: string | readonly string[]
  /** What to do with one request after the other; 200 for all after the last. */
  script?: readonly ScriptStep[]
  /** Whether requests take their steps in turn, or each delivery id goes through the script by itself. @default 'turn' */
  scriptPer?: 'turn' | 'delivery'
  /** Oldest signature accepted, in seconds: only of use with the server's clock as `now`. @default Infinity */
  toleranceSeconds?: number
  /** The current instant, such as `() => server.clock.now()`. @default the system clock */
  now?: () => Date | number
  /** Hears of each delivery before it is answered; the answer waits for a promise. */
  onDelivery?: (delivery: ReceivedDelivery) => void | Promise<void>
}

/** Largest body taken, in bytes. */
const BODY_MAX_BYTES = 16 * 1_048_576

/** Real milliseconds that `waitFor` waits. */
const WAIT_MS = 5_000

/** A receiver of webhooks that does what its script says, and remembers every byte it was sent. */
export class MockReceiver {
  /** Everything received, in the order of arrival. */
  readonly deliveries: ReceivedDelivery[] = []
  /** Hears of each delivery before it is answered; the answer waits for a promise. */
  onDelivery: ((delivery: ReceivedDelivery) => void | Promise<void>) | undefined
  /** Secrets that signatures are verified with. Change it when the endpoint's secret is rotated. */
  secrets: readonly string[]
  readonly #options: MockReceiverOptions
  readonly #script: Play[]
  readonly #scripts = new Map<string, Play[]>()
  readonly #attempts = new Map<string, number>()
  readonly #waiting = new Set<() => void>()
  readonly #server: Server
  readonly #closing = new AbortController()
  #url = ''

  constructor(options: MockReceiverOptions = {}) {
    this.#options = options
    this.onDelivery = options.onDelivery
    this.#script = (options.script ?? []).map(readStep)
    this.secrets = typeof options.secret === 'string' ? [options.secret] : (options.secret ?? [])
    this.#server = createServer((request, response) => void this.#receive(request, response))
    this.#server.requestTimeout = 0
  }

  /** Where it listens, `http://127.0.0.1:PORT/`. @throws Error before `listen`. */
  get url(): string {
    if (this.#url === '') throw new Error('The receiver does not listen yet: await receiver.listen() first.')
    return this.#url
  }

  /** Starts to listen. Resolves to the receiver itself. */
  listen({ port = 0, host = '127.0.0.1' }: { port?: number; host?: string } = {}): Promise<this> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        const { address, port: actual, family } = this.#server.address() as AddressInfo
        this.#url = `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/`
        resolve(this)
      })
    })
  }

  /** Appends steps to the script that requests take in turn. */
  respond(...steps: ScriptStep[]): this {
    this.#script.push(...steps.map(readStep))
    return this
  }

  /** A script for the attempts of one delivery id, before any other. */
  respondTo(deliveryId: string, ...steps: ScriptStep[]): this {
    this.#scripts.set(deliveryId, steps.map(readStep))
    return this
  }

  /** Resolves to all deliveries once there are so many. */
  waitFor(count: number, options?: { timeoutMs?: number }): Promise<ReceivedDelivery[]>
  /** Resolves to the first delivery that matches, one received before included. */
  waitFor(match: Exclude<Match, number>, options?: { timeoutMs?: number }): Promise<ReceivedDelivery>
  waitFor(match: Match, { timeoutMs = WAIT_MS } = {}): Promise<ReceivedDelivery[] | ReceivedDelivery> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(look)
      }
      const look = (): boolean => {
        try {
          const found = this.#find(match)
          if (found === undefined) return false
          resolve(found)
        } catch (cause) {
          // A match that throws fails the wait that it belongs to, and not the request that was looked at.
          reject(cause)
        }
        end()
        return true
      }
      const timer = setTimeout(() => {
        end()
        reject(new Error(`${describeWait(match, timeoutMs)} ${describeNearest(this.deliveries, match)}`))
      }, timeoutMs)
      if (!look()) this.#waiting.add(look)
    })
  }

  /** Forgets what was received. The script goes on where it is. */
  clear(): void {
    this.deliveries.length = 0
    this.#attempts.clear()
  }

  /** Forgets what was received and starts the script that it was made with over; what was appended is dropped. */
  restart(): void {
    this.clear()
    this.#scripts.clear()
    this.#script.splice(0, this.#script.length, ...(this.#options.script ?? []).map(readStep))
  }

  /** Ends every open request and stops listening. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A sender that goes away in the middle is nothing to report: the script may have asked for it.
    response.on('error', () => {})
    const { socket } = request
    const rawBody = await readBody(request).catch(() => undefined)
    if (!rawBody) {
      // The request is gone already and does not know its socket any more: the sender would wait for ever.
      socket.destroy()
      return
    }
    const delivery = this.#record(request, rawBody)
    await this.onDelivery?.(delivery)
    const play: Play = delivery.verified === false ? readStep(401) : this.#nextStep(delivery.id)
    await playStep(play, response, this.#closing.signal)
  }

  #record(request: IncomingMessage, rawBody: Buffer): ReceivedDelivery {
    const id = String(request.headers[DELIVERY_HEADERS.delivery] ?? '')
    const attempt = (this.#attempts.get(id) ?? 0) + 1
    this.#attempts.set(id, attempt)
    const { method = '', url: path = '', headers } = request
    const delivery = describeRequest({ method, path, headers, rawBody }, attempt, {
      secrets: this.secrets,
      toleranceSeconds: this.#options.toleranceSeconds ?? Number.POSITIVE_INFINITY,
      now: this.#options.now,
    })
    this.deliveries.push(delivery)
    for (const look of this.#waiting) look()
    return delivery
  }

  #nextStep(deliveryId: string): Play {
    const steps = this.#scripts.get(deliveryId) ?? this.#ownScript(deliveryId) ?? this.#script
    return steps.shift() ?? readStep(200)
  }

  /** With a script per delivery, each id gets a copy of its own. */
  #ownScript(deliveryId: string): Play[] | undefined {
    if (this.#options.scriptPer !== 'delivery') return undefined
    const own = [...this.#script]
    this.#scripts.set(deliveryId, own)
    return own
  }

  #find(match: Match): ReceivedDelivery[] | ReceivedDelivery | undefined {
    if (typeof match !== 'number') return this.deliveries.find((delivery) => matches(delivery, match))
    return this.deliveries.length >= match ? [...this.deliveries] : undefined
  }
}

/** A mock receiver: `await createMockReceiver({ script: ['500', '200'] }).listen()`. */
export function createMockReceiver(options?: MockReceiverOptions): MockReceiver {
  return new MockReceiver(options)
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > BODY_MAX_BYTES) throw new Error('body too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function describeWait(match: Match, timeoutMs: number): string {
  const wanted = typeof match === 'number' ? `${match} deliveries` : 'a delivery that matches'
  return `Waited ${timeoutMs} ms for ${wanted}.`
}
