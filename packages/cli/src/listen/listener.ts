import { DELIVERY_HEADERS } from '@formwire/contract'
import type { SleepClock } from '@formwire/internal/clock'
import { tryVerifyWebhook } from '@formwire/webhook-verify'
import { diagnose } from './diagnose.ts'
import type { Forwarded } from './forward.ts'
import type { Handler } from './handler.ts'
import { headerValue } from './headers.ts'
import type { ReceivedDelivery } from './received-delivery.ts'
import type { RawDelivery, ReceiverResponse } from './receiver.ts'
import { record } from './recording.ts'
import type { SenderLog } from './sender-log.ts'
import { statusAdvice } from './status-advice.ts'

/** How deliveries are handled. */
export interface ListenerOptions {
  /** Secrets of the endpoints. Resolves once they exist. */
  secrets(): Promise<readonly string[]>
  handler: Handler
  /** Where the handler's secret comes from, for advice. */
  secretOrigin: string
  /** Statuses to respond with in turn; the last one repeats. */
  respond: readonly number[]
  recordDir: string | undefined
  log: SenderLog
  clock: SleepClock
  /** Called when a delivery could not be written to `recordDir`. */
  onUnrecorded(reason: string): void
  onReceived(received: ReceivedDelivery, delivery: RawDelivery): void
}

/** Handles deliveries: verifies the raw bytes, forwards, responds and reports. */
export class Listener {
  readonly #options: ListenerOptions
  #received = 0
  #scripted = 0
  #secretProven = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Handles one request and resolves to its response. */
  async handle(delivery: RawDelivery): Promise<ReceiverResponse> {
    const { log, clock } = this.#options
    const number = ++this.#received
    const receivedAt = new Date(clock.now()).toISOString()
    const deliveryId = headerValue(delivery.rawHeaders, DELIVERY_HEADERS.delivery) ?? null
    // Read before responding: afterwards the log includes this attempt.
    const before = deliveryId === null ? undefined : await log.delivery(deliveryId)
    const verification = await this.#verify(delivery, before)
    const forwarded = verification.verified
      ? await this.#options.handler.send(delivery, verification.facts.form_id)
      : undefined
    const response = this.#respond(verification, forwarded)
    const received: ReceivedDelivery = {
      number,
      received_at: receivedAt,
      delivery_id: deliveryId,
      ...verification.facts,
      verified: verification.verified,
      problem: verification.problem,
      answered: response.status,
      forwarded: forwarded ? forwardedFacts(forwarded) : null,
      advice:
        verification.verified && forwarded?.reached
          ? (statusAdvice(response.status, this.#options.secretOrigin) ?? null)
          : verification.verified
            ? this.#options.handler.noteOfMissing(verification.facts.form_id)
            : null,
      attempt: before ? attemptNumber(before.attempts) : null,
      next_attempt_at: null,
      parked: null,
      recorded: null,
    }
    // The response goes out first.
    setImmediate(() => void this.#report(received, delivery))
    return response
  }

  /** Records and reports the delivery, once the log contains this attempt, so that the time of the next one is known. */
  async #report(received: ReceivedDelivery, delivery: RawDelivery): Promise<void> {
    received.recorded = await this.#record(delivery, received.received_at)
    const { attempt, delivery_id: id, answered } = received
    if (attempt !== null && id !== null && (answered < 200 || answered > 299)) {
      const after = await this.#options.log.deliveryAfter(id, attempt)
      received.next_attempt_at = after?.next_attempt_at ?? null
    }
    this.#options.onReceived(received, delivery)
  }

  async #verify(
    delivery: RawDelivery,
    logged: { [member: string]: unknown } | undefined,
  ): Promise<Verification> {
    const secret = [...(await this.#options.secrets())]
    const now = await this.#options.log.now()
    const result = tryVerifyWebhook({ secret, headers: delivery.rawHeaders, body: delivery.body, now })
    if (result.ok) {
      this.#secretProven = true
      const payload: unknown = JSON.parse(delivery.body.toString())
      const { form, response } = payload as { form?: { id?: string }; response?: { id?: number } }
      return {
        verified: true,
        problem: null,
        status: 200,
        facts: {
          event: result.event.type,
          form_id: form?.id ?? null,
          response_id: response?.id ?? null,
          payload,
        },
      }
    }
    const sentBody = rawBodyOf(logged)
    const event = headerValue(delivery.rawHeaders, DELIVERY_HEADERS.event) ?? null
    return {
      verified: false,
      problem: diagnose(result.error, delivery, { secret, now, secretProven: this.#secretProven, sentBody }),
      status: result.error.status,
      facts: { event, form_id: null, response_id: null, payload: null },
    }
  }

  #respond(verification: Verification, forwarded: Forwarded | undefined): ReceiverResponse {
    if (!verification.verified)
      return { status: verification.status, body: `${verification.problem?.message ?? 'refused'}\n` }
    const { respond } = this.#options
    if (respond.length > 0) {
      const status = respond[Math.min(this.#scripted++, respond.length - 1)] ?? 200
      return { status, body: `formwire listen: --respond ${status}\n` }
    }
    if (!forwarded) return { status: 200, body: 'received\n' }
    if (!forwarded.reached) return { status: 502, body: 'formwire listen: no response from the handler\n' }
    return { status: forwarded.status, body: forwarded.body, contentType: forwarded.contentType }
  }

  async #record(delivery: RawDelivery, receivedAt: string): Promise<string | null> {
    const { recordDir } = this.#options
    if (recordDir === undefined) return null
    try {
      return await record(recordDir, delivery, receivedAt)
    } catch (error) {
      // For example a full disk, which is not a reason to refuse the delivery.
      this.#options.onUnrecorded((error as Error).message)
      return null
    }
  }
}

interface Verification {
  verified: boolean
  problem: ReceivedDelivery['problem']
  /** Response status if it is refused. */
  status: number
  facts: Pick<ReceivedDelivery, 'event' | 'form_id' | 'response_id' | 'payload'>
}

/** Returns the number of the current attempt, whether or not the log already contains it. */
function attemptNumber(attempts: readonly { http_status: number | null; error: string | null }[]): number {
  const ended = attempts.filter((attempt) => attempt.http_status !== null || attempt.error !== null)
  return ended.length + 1
}

function rawBodyOf(logged: { [member: string]: unknown } | undefined): Buffer | undefined {
  const body = logged?.raw_body
  return typeof body === 'string' ? Buffer.from(body) : undefined
}

/** Returns the outcome of forwarding as it is shown. */
export function forwardedFacts(forwarded: Forwarded): ReceivedDelivery['forwarded'] {
  return {
    status: forwarded.reached ? forwarded.status : null,
    duration_ms: Math.round(forwarded.durationMs),
    reason: forwarded.reached ? null : forwarded.reason,
  }
}
