import { DELIVERY_HEADERS } from '@formwire/contract'
import { tryVerifyWebhook } from '@formwire/webhook-verify'
import type { Context } from '../context.ts'
import { diagnose } from './diagnose.ts'
import { type Forwarded, handled } from './forward.ts'
import type { Handler } from './handler.ts'
import { headerValue } from './headers.ts'
import { type ReceivedDelivery, receivedDelivery } from './received-delivery.ts'
import type { HandledDelivery, RawDelivery, ReceiverResponse } from './receiver.ts'
import { tryRecord } from './recording.ts'
import type { SenderLog } from './sender-log.ts'

/** How deliveries are handled. */
export interface ListenerOptions {
  context: Context
  /** Secrets of the endpoints. Resolves once they exist. */
  secrets(): Promise<readonly string[]>
  handler: Handler
  /** Statuses to respond with in turn; the last one repeats. */
  respond: readonly number[]
  recordDir: string | undefined
  log: SenderLog
  onReceived(received: ReceivedDelivery, delivery: HandledDelivery): void
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
    const { context, handler, log } = this.#options
    const number = ++this.#received
    const receivedAt = new Date(context.runtime.clock.now()).toISOString()
    const deliveryId = headerValue(delivery.rawHeaders, DELIVERY_HEADERS.delivery) ?? null
    // Read before responding: afterwards the log includes this attempt.
    const before = deliveryId === null ? undefined : await log.delivery(deliveryId)
    const verification = await this.#verify(delivery, before)
    const forwarded = verification.verified
      ? await handler.send(delivery, verification.facts.form_id)
      : undefined
    const response = this.#respond(verification, forwarded)
    const { facts, verified, problem } = verification
    const received = receivedDelivery({
      number,
      received_at: receivedAt,
      delivery_id: deliveryId,
      ...facts,
      verified,
      problem,
      answered: response.status,
      forwarded,
      advice: verified ? handler.adviceOn(facts.form_id, forwarded, response.status) : null,
      attempt: before ? attemptNumber(before.attempts) : null,
    })
    // The response goes out first.
    setImmediate(() => void this.#report(received, handled(delivery, forwarded)))
    return response
  }

  /** Records and reports the delivery, once the log contains this attempt, so that the time of the next one is known. */
  async #report(received: ReceivedDelivery, delivery: HandledDelivery): Promise<void> {
    const { context, recordDir } = this.#options
    received.recorded = await tryRecord(context, recordDir, delivery, received.received_at)
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
