import type {
  Receiver,
  ReceiverDelivery,
  ReceiverResponse,
  ReceiverSettings,
  ReceiverState,
  ReceiverStep,
} from '@formwire/contract/control'
import type { Clock } from '../clock/index.ts'
import { invalid, orNotFound, ServiceError, unprocessable } from '../domain/service-error.ts'
import { namesOf } from '../known-names.ts'
import type { MockReceiver, ReceivedDelivery, ScriptStep } from '../receiver/index.ts'
import { readObject, refuseUnknownFields } from '../services/input.ts'

const STEPS_MAX = 1000
const SECRETS_MAX = 10
const SECRET_MAX_LENGTH = 1000
/** Oldest signature accepted, in seconds (DLV-04). */
const TOLERANCE_SECONDS = 300

interface Limits {
  /** Receivers at the same time. */
  readonly receivers: number
  /** Deliveries kept per receiver, and bytes of their bodies. The oldest are dropped. */
  readonly deliveries: number
  readonly bodyBytes: number
}

const LIMITS: Limits = { receivers: 100, deliveries: 1000, bodyBytes: 64 * 1_048_576 }

const SETTINGS = namesOf<ReceiverSettings>({ script: true, secret: true })
const RESPONSE_FIELDS = namesOf<ReceiverResponse>({
  status: true,
  headers: true,
  body: true,
  delay_ms: true,
  ending: true,
})

interface Running {
  readonly receiver: MockReceiver
  readonly receivedAt: WeakMap<ReceivedDelivery, string>
  view: Receiver
}

/** The mock receivers that are started and read over HTTP. They are not part of the state. */
export class Receivers {
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #running = new Map<number, Running>()
  /** Receivers that are closing. */
  readonly #ending = new Set<Promise<void>>()
  #starting = 0
  #lastId = 0
  #closed = false

  /** @param clock Dates deliveries, and decides whether a signature is recent. */
  constructor(clock: Clock, limits: Partial<Limits> = {}) {
    this.#clock = clock
    this.#limits = { ...LIMITS, ...limits }
  }

  /** Starts a receiver on a free loopback port. Throws 422 for invalid settings, and for one receiver too many. */
  async create(input: object): Promise<Receiver> {
    const { script = [], secret = null, steps } = await readSettings(input)
    const { receivers: max } = this.#limits
    if (this.#running.size + this.#starting >= max)
      throw unprocessable(`${max} receivers are running; delete one first, or reset the server.`)
    this.#starting += 1
    try {
      // Loaded with the first receiver: most servers run none.
      const { MockReceiver } = await import('../receiver/mock-receiver.ts')
      const receiver = new MockReceiver({
        script: steps,
        secret: secretsOf(secret),
        toleranceSeconds: TOLERANCE_SECONDS,
        now: () => this.#clock.now(),
      })
      const receivedAt = new WeakMap<ReceivedDelivery, string>()
      receiver.onDelivery = (delivery) => {
        receivedAt.set(delivery, new Date(this.#clock.now()).toISOString())
        receiver.keepLatest(this.#limits.deliveries, this.#limits.bodyBytes)
      }
      // The server that it belongs to decides how long the process lives.
      await receiver.listen({ ref: false })
      if (this.#closed) {
        await receiver.close()
        throw new ServiceError('server_error', 'The server is closing.')
      }
      this.#lastId += 1
      const view = { id: this.#lastId, url: receiver.url, script, secret }
      this.#running.set(view.id, { receiver, receivedAt, view })
      return view
    } finally {
      this.#starting -= 1
    }
  }

  list(): Receiver[] {
    return Array.from(this.#running.values(), ({ view }) => view)
  }

  /** Returns what each receiver has done and does next. It has no secrets, so a page may show it. */
  states(): ReceiverState[] {
    return Array.from(this.#running.values(), ({ receiver, view: { id, url, script } }) => ({
      id,
      url,
      next_step: script[script.length - receiver.stepsLeft] ?? null,
      steps_left: receiver.stepsLeft,
      received: receiver.deliveries.length,
      unverified: receiver.deliveries.filter(({ verified }) => verified === false).length,
    }))
  }

  get(id: number): Receiver {
    return this.#find(id).view
  }

  /** Changes the script, the secret, or both. Keeps what was recorded. Throws 422 without a change. */
  async update(id: number, input: object): Promise<Receiver> {
    this.#find(id)
    const { steps, ...changes } = await readSettings(input)
    const running = this.#find(id)
    if (changes.script !== undefined) running.receiver.rescript(...steps)
    if (changes.secret !== undefined) running.receiver.secrets = secretsOf(changes.secret)
    running.view = { ...running.view, ...changes }
    return running.view
  }

  /** Returns what was received, oldest first. */
  deliveries(id: number): ReceiverDelivery[] {
    const { receiver, receivedAt } = this.#find(id)
    return receiver.deliveries.map((delivery) => ({
      received_at: receivedAt.get(delivery) as string,
      method: delivery.method,
      path: delivery.path,
      headers: delivery.headers as ReceiverDelivery['headers'],
      body_base64: delivery.rawBody.toString('base64'),
      payload: delivery.payload as ReceiverDelivery['payload'],
      verified: delivery.verified,
      verification_error: delivery.verificationError,
      status: delivery.status,
      delivery_id: delivery.id,
      attempt: delivery.attempt,
      event: delivery.event,
    }))
  }

  /** Removes the script of a receiver and what it recorded. It keeps listening. */
  restart(id: number): void {
    const running = this.#find(id)
    running.receiver.rescript()
    running.receiver.clear()
    running.view = { ...running.view, script: [] }
  }

  /** Ends a receiver and its open requests. */
  async remove(id: number): Promise<void> {
    const { receiver } = this.#find(id)
    this.#running.delete(id)
    await this.#end(receiver)
  }

  /** Ends all receivers and their open requests. They no longer accept connections when this returns. */
  async clear(): Promise<void> {
    const running = [...this.#running.values()]
    this.#running.clear()
    for (const { receiver } of running) void this.#end(receiver)
    await Promise.all(this.#ending)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.clear()
  }

  #find(id: number): Running {
    return orNotFound(this.#running.get(id))
  }

  #end(receiver: MockReceiver): Promise<void> {
    const ended = receiver.close().finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
    return ended
  }
}

const secretsOf = (secret: Receiver['secret']): readonly string[] =>
  secret === null ? [] : typeof secret === 'string' ? [secret] : secret

/** Returns settings as they were sent, and the steps of the script as the receiver reads them. */
async function readSettings(input: object) {
  refuseUnknownFields(input, SETTINGS)
  const { script, secret } = input as Record<string, unknown>
  return {
    ...(script !== undefined && { script: script as ReceiverStep[] }),
    ...(secret !== undefined && { secret: readSecret(secret) }),
    steps: script === undefined ? [] : await readScript(script),
  }
}

/** The messages never contain the secret. */
function readSecret(secret: unknown): Receiver['secret'] {
  if (secret === null) return null
  const all = Array.isArray(secret) ? secret : [secret]
  const usable = (one: unknown): boolean =>
    typeof one === 'string' && one.trim() !== '' && one.length <= SECRET_MAX_LENGTH
  if (all.length > 0 && all.length <= SECRETS_MAX && all.every(usable)) return secret as string | string[]
  throw invalid(
    'secret',
    `secret must be an endpoint's secret, such as whsec_…, an array of 1 to ${SECRETS_MAX} of them, or null.`,
  )
}

async function readScript(script: unknown): Promise<ScriptStep[]> {
  if (!Array.isArray(script))
    throw invalid('script', 'script must be an array of steps, such as ["500", "timeout", "200"].')
  if (script.length > STEPS_MAX)
    throw invalid('script', `script must have at most ${STEPS_MAX} steps, got ${script.length}.`)
  const { readStep } = await import('../receiver/script.ts')
  return script.map((step: unknown, index) => {
    const read = ownStep(step, index)
    try {
      readStep(read)
      return read
    } catch (cause) {
      throw invalid('script', `script[${index}]: ${(cause as Error).message}`)
    }
  })
}

/** A whole response has wire names here, and the receiver's own names below. */
function ownStep(step: unknown, index: number): ScriptStep {
  if (typeof step === 'string' || typeof step === 'number') return step
  const at = `script[${index}]`
  const given = readObject(step, at)
  // The nearest name would be body.
  if ('code' in given) throw invalid(`${at}.code`, 'Unknown field "code"; did you mean "status"?')
  refuseUnknownFields(given, RESPONSE_FIELDS, `${at}.`)
  const { delay_ms: delayMs, ...rest } = given
  return { ...rest, ...(delayMs !== undefined && { delayMs }) } as ScriptStep
}
