import { DELIVERY_HEADERS } from '@formwire/contract'
import { tryVerifyWebhook } from '@formwire/webhook-verify'
import type { Clock } from '../runtime.ts'
import { diagnose } from './diagnose.ts'
import { type Forwarded, forward } from './forward.ts'
import { headerValue } from './headers.ts'
import type { RawDelivery, ReceiverAnswer } from './receiver.ts'
import type { Reception } from './reception.ts'
import { record } from './recording.ts'
import type { SenderLog } from './sender-log.ts'
import { statusAdvice } from './status-advice.ts'

/** How deliveries are handled. */
export interface ListenerOptions {
  /** Known once the endpoint exists. */
  secret(): Promise<string>
  forwardTo: string | undefined
  /** Statuses to answer in turn; the last one stays. */
  respond: readonly number[]
  recordDir: string | undefined
  log: SenderLog
  clock: Clock
  /** A delivery could not be written to `recordDir`. */
  onUnrecorded(reason: string): void
  onReception(reception: Reception, delivery: RawDelivery): void
}

/** Takes deliveries: verifies on the raw bytes, forwards, answers, and tells what happened. */
export class Listener {
  readonly #options: ListenerOptions
  #received = 0
  #scripted = 0
  #secretProven = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Handles one request; resolves to what is answered. */
  async handle(delivery: RawDelivery): Promise<ReceiverAnswer> {
    const { log, clock } = this.#options
    const number = ++this.#received
    const receivedAt = new Date(clock.now()).toISOString()
    const deliveryId = headerValue(delivery.rawHeaders, DELIVERY_HEADERS.delivery) ?? null
    // Asked before the answer: afterwards the log counts this attempt too.
    const before = deliveryId === null ? undefined : await log.entry(deliveryId)
    const judged = await this.#judge(delivery, before)
    const forwarded = judged.verified ? await this.#forward(delivery) : undefined
    const answer = this.#answer(judged, forwarded)
    const recorded = await this.#record(delivery, receivedAt)
    const reception: Reception = {
      number,
      received_at: receivedAt,
      delivery_id: deliveryId,
      ...judged.facts,
      verified: judged.verified,
      problem: judged.problem,
      answered: answer.status,
      forwarded: forwarded ? forwardedFacts(forwarded) : null,
      advice: judged.verified && forwarded?.reached ? (statusAdvice(answer.status) ?? null) : null,
      attempt: before ? attemptNumber(before.attempts) : null,
      next_attempt_at: null,
      recorded,
    }
    void this.#tell(reception, delivery)
    return answer
  }

  /** Tells of the delivery once the log has taken our answer in, so that it can say when the next attempt comes. */
  async #tell(reception: Reception, delivery: RawDelivery): Promise<void> {
    const { attempt, delivery_id: id, answered } = reception
    if (attempt !== null && id !== null && (answered < 200 || answered > 299)) {
      const after = await this.#options.log.entryAfter(id, attempt)
      reception.next_attempt_at = after?.next_attempt_at ?? null
    }
    this.#options.onReception(reception, delivery)
  }

  async #judge(delivery: RawDelivery, logged: { [member: string]: unknown } | undefined): Promise<Judged> {
    const secret = await this.#options.secret()
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

  async #forward(delivery: RawDelivery): Promise<Forwarded | undefined> {
    const { forwardTo, clock } = this.#options
    return forwardTo === undefined ? undefined : await forward(delivery, forwardTo, () => clock.now())
  }

  #answer(judged: Judged, forwarded: Forwarded | undefined): ReceiverAnswer {
    if (!judged.verified) return { status: judged.status, body: `${judged.problem?.message ?? 'refused'}\n` }
    const { respond } = this.#options
    if (respond.length > 0) {
      const status = respond[Math.min(this.#scripted++, respond.length - 1)] ?? 200
      return { status, body: `formwire listen answers ${status}\n` }
    }
    if (!forwarded) return { status: 200, body: 'received\n' }
    if (!forwarded.reached) return { status: 502, body: 'formwire listen: the handler gave no answer\n' }
    return { status: forwarded.status, body: forwarded.body, contentType: forwarded.contentType }
  }

  async #record(delivery: RawDelivery, receivedAt: string): Promise<string | null> {
    const { recordDir } = this.#options
    if (recordDir === undefined) return null
    try {
      return await record(recordDir, delivery, receivedAt)
    } catch (error) {
      // A full disk is no reason to refuse a delivery.
      this.#options.onUnrecorded((error as Error).message)
      return null
    }
  }
}

interface Judged {
  verified: boolean
  problem: Reception['problem']
  /** Status to answer when it is refused. */
  status: number
  facts: Pick<Reception, 'event' | 'form_id' | 'response_id' | 'payload'>
}

/** A log may count an attempt while it is under way, or only when it has ended. */
function attemptNumber(attempts: readonly { http_status: number | null; error: string | null }[]): number {
  const ended = attempts.filter((attempt) => attempt.http_status !== null || attempt.error !== null)
  return ended.length + 1
}

function rawBodyOf(logged: { [member: string]: unknown } | undefined): Buffer | undefined {
  const body = logged?.raw_body
  return typeof body === 'string' ? Buffer.from(body) : undefined
}

function forwardedFacts(forwarded: Forwarded): Reception['forwarded'] {
  return {
    status: forwarded.reached ? forwarded.status : null,
    duration_ms: Math.round(forwarded.durationMs),
    reason: forwarded.reached ? null : forwarded.reason,
  }
}
