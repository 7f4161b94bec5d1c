import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DELIVERY_HEADERS } from '@formwire/contract'
import { ReceivedBytes } from '../http/receive-body.ts'
import { namesOf, refuseUnknownOptions } from '../known-names.ts'
import { until } from '../matching/match.ts'
import { systemNow } from '../real-timers.ts'
import { playStep } from './play.ts'
import {
  describeReceived,
  describeRequest,
  type Match,
  matches,
  type ReceivedDelivery,
} from './received-delivery.ts'
import { type Play, readStep, ScriptPlayer, type ScriptStep } from './script.ts'

export interface ListenOptions {
  port?: number | undefined
  host?: string | undefined
  /** Whether the receiver keeps the process alive until it is closed. @default true */
  ref?: boolean | undefined
}

export interface WaitOptions {
  timeoutMs?: number | undefined
}

export interface MockReceiverOptions {
  /**
   * Endpoint secret that signatures are verified with; several during a rotation. A delivery that does not verify gets
   * 401. @default no verification
   */
  secret?: string | readonly string[] | undefined
  /**
   * What to do with each request in turn. Every request after the last step gets 200.
   *
   * @example
   * ```ts
   * createMockReceiver({ script: ['500', 'timeout', '200'] })
   * ```
   */
  script?: readonly ScriptStep[] | undefined
  /** Whether all requests share the script, or each delivery id runs through its own copy. @default 'turn' */
  scriptPer?: 'turn' | 'delivery' | undefined
  /** Oldest signature accepted, in seconds. Pass the server's clock as `now` with it. @default Infinity */
  toleranceSeconds?: number | undefined
  /** The current instant, such as `() => server.clock.now()`. @default the system clock */
  now?: (() => Date | number) | undefined
  /** Called with each delivery before the response is sent. A returned promise delays the response. */
  onDelivery?: ((delivery: ReceivedDelivery) => void | Promise<void>) | undefined
}

const RECEIVER_OPTIONS = namesOf<MockReceiverOptions>({
  secret: true,
  script: true,
  scriptPer: true,
  toleranceSeconds: true,
  now: true,
  onDelivery: true,
})
const LISTEN_OPTIONS = namesOf<ListenOptions>({ port: true, host: true, ref: true })
const WAIT_OPTIONS = namesOf<WaitOptions>({ timeoutMs: true })

/** Largest accepted body, in bytes. */
const BODY_MAX_BYTES = 16 * 1_048_576

/** Default timeout of `waitFor`, in real milliseconds: shorter than the 5 s after which test runners end a test without a reason. */
const WAIT_MS = 4_000

/** Longest delivery id by which attempts are counted; the service's have 24 characters. */
const ID_MAX_LENGTH = 200

/** A scriptable webhook receiver that records every delivery. */
export class MockReceiver {
  /** Every delivery received, in order of arrival. */
  readonly deliveries: ReceivedDelivery[] = []
  /** Called with each delivery before the response is sent. A returned promise delays the response. */
  onDelivery: ((delivery: ReceivedDelivery) => void | Promise<void>) | undefined
  /** Secrets that signatures are verified with. Update it when the endpoint's secret is rotated. */
  secrets: readonly string[]
  readonly #options: MockReceiverOptions
  readonly #script: ScriptPlayer
  readonly #attempts = new Map<string, number>()
  readonly #server: Server
  readonly #closing = new AbortController()
  #url = ''

  constructor(options: MockReceiverOptions = {}) {
    refuseUnknownOptions(options, RECEIVER_OPTIONS, 'createMockReceiver')
    this.#options = options
    this.onDelivery = options.onDelivery
    this.#script = new ScriptPlayer(options.script ?? [], options.scriptPer ?? 'turn')
    this.secrets = typeof options.secret === 'string' ? [options.secret] : (options.secret ?? [])
    this.#server = createServer((request, response) => void this.#receive(request, response))
    this.#server.requestTimeout = 0
  }

  /** The URL to deliver to, `http://127.0.0.1:PORT/`. @throws Error before `listen()`. */
  get url(): string {
    if (this.#url === '') throw new Error('The receiver is not listening yet; await receiver.listen() first.')
    return this.#url
  }

  /** Starts listening. Resolves to the receiver. @default a free port on 127.0.0.1 */
  listen(options: ListenOptions = {}): Promise<this> {
    return new Promise((resolve, reject) => {
      refuseUnknownOptions(options, LISTEN_OPTIONS, 'listen')
      const { port = 0, host = '127.0.0.1', ref = true } = options
      if (!ref) this.#server.unref().on('connection', (socket) => socket.unref())
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        const { address, port: actual, family } = this.#server.address() as AddressInfo
        this.#url = `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/`
        resolve(this)
      })
    })
  }

  /** Appends steps to the shared script. */
  respond(...steps: ScriptStep[]): this {
    this.#script.append(steps)
    return this
  }

  /** Sets the script for the attempts of one delivery id; it takes precedence over the shared script. */
  respondTo(deliveryId: string, ...steps: ScriptStep[]): this {
    this.#script.setFor(deliveryId, steps)
    return this
  }

  /**
   * Replaces all that is left of the scripts, and keeps what was recorded.
   * @throws TypeError for an invalid step; the scripts stay as they were.
   */
  rescript(...steps: ScriptStep[]): this {
    this.#script.replace(steps)
    return this
  }

  /**
   * Number of steps of the shared script that no request has used yet. With `scriptPer: 'delivery'`, always all, since each
   * delivery has its own copy.
   */
  get stepsLeft(): number {
    return this.#script.left
  }

  /** Waits for a number of deliveries and resolves to all of them. @throws Error after `timeoutMs` (default 4000). */
  waitFor(count: number, options?: WaitOptions): Promise<ReceivedDelivery[]>
  /**
   * Waits for a delivery that matches, including those already received, and resolves to the first.
   * @throws Error after `timeoutMs` (default 4000), with the closest deliveries and how they differ.
   *
   * @example
   * ```ts
   * await receiver.waitFor({ payload: { response: { id: 7 } } })
   * ```
   */
  waitFor(match: Exclude<Match, number>, options?: WaitOptions): Promise<ReceivedDelivery>
  async waitFor(match: Match, options: WaitOptions = {}): Promise<ReceivedDelivery[] | ReceivedDelivery> {
    refuseUnknownOptions(options, WAIT_OPTIONS, 'waitFor')
    const { timeoutMs = WAIT_MS } = options
    const found = await until(() => this.#find(match), { timeoutMs })
    if (found !== undefined) return found
    const wanted = typeof match === 'number' ? `${match} deliveries` : 'a delivery that matches'
    const received = describeReceived(this.deliveries, match)
    throw new Error(`Timed out after ${timeoutMs} ms waiting for ${wanted}. ${received}`)
  }

  /** Clears the recorded deliveries. The script continues where it is. */
  clear(): void {
    this.deliveries.length = 0
    this.#attempts.clear()
  }

  /**
   * Drops the oldest recorded deliveries, and what is known of the delivery ids of which none is left. The latest delivery is
   * kept, whatever its size.
   *
   * @param count Most deliveries to keep.
   * @param bodyBytes Most bytes of bodies to keep.
   */
  keepLatest(count: number, bodyBytes: number): void {
    let bytes = 0
    let kept = 0
    for (let i = this.deliveries.length - 1; i >= 0 && kept < count; i -= 1, kept += 1) {
      bytes += (this.deliveries[i] as ReceivedDelivery).rawBody.length
      if (bytes > bodyBytes && kept > 0) break
    }
    for (const { id, attempt } of this.deliveries.splice(0, this.deliveries.length - kept)) {
      const key = id.slice(0, ID_MAX_LENGTH)
      if (this.#attempts.get(key) !== attempt) continue
      this.#attempts.delete(key)
      this.#script.forget(id)
    }
  }

  /** Clears the recorded deliveries and restarts the original script; appended steps are dropped. */
  restart(): void {
    this.clear()
    this.#script.replace(this.#options.script ?? [])
  }

  /** Closes every open request and stops listening. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A sender may disconnect because of the script.
    response.on('error', () => {})
    const { socket } = request
    const rawBody = await readBody(request).catch(() => undefined)
    if (!rawBody) {
      // The request has lost its socket by now; without this, the sender would wait forever.
      socket.destroy()
      return
    }
    const { delivery, play } = this.#record(request, rawBody)
    await this.onDelivery?.(delivery)
    // Node refuses some combinations of headers, such as Trailer without chunks, only when they are written.
    await playStep(play, response, this.#closing.signal).catch(() => socket.destroy())
  }

  #record(request: IncomingMessage, rawBody: Buffer): { delivery: ReceivedDelivery; play: Play } {
    const id = String(request.headers[DELIVERY_HEADERS.delivery] ?? '')
    const key = id.slice(0, ID_MAX_LENGTH)
    const attempt = (this.#attempts.get(key) ?? 0) + 1
    this.#attempts.set(key, attempt)
    const { method = '', url: path = '', headers } = request
    const received = describeRequest({ method, path, headers, rawBody }, attempt, {
      secrets: this.secrets,
      toleranceSeconds: this.#options.toleranceSeconds ?? Number.POSITIVE_INFINITY,
      now: this.#options.now ?? systemNow,
    })
    const play = received.verified === false ? readStep(401) : this.#script.next(id)
    const delivery = { ...received, status: play.kind === 'respond' ? play.response.status : null }
    this.deliveries.push(delivery)
    return { delivery, play }
  }

  #find(match: Match): ReceivedDelivery[] | ReceivedDelivery | undefined {
    if (typeof match !== 'number') return this.deliveries.find((delivery) => matches(delivery, match))
    return this.deliveries.length >= match ? [...this.deliveries] : undefined
  }
}

/**
 * Creates a mock receiver. It does not listen yet.
 * @throws OptionError for an unknown option. TypeError for an invalid script step.
 *
 * @example
 * ```ts
 * const receiver = await createMockReceiver({ script: ['500', '200'] }).listen()
 * ```
 */
export function createMockReceiver(options?: MockReceiverOptions): MockReceiver {
  return new MockReceiver(options)
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const body = new ReceivedBytes(BODY_MAX_BYTES)
  for await (const chunk of request as AsyncIterable<Buffer>) body.add(chunk)
  return Buffer.from(body.bytes())
}
