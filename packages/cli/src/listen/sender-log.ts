import type { AdminClient } from '../admin/client.ts'
import type { DeliveryDetails } from '../admin/delivery.ts'
import type { Clock } from '../runtime.ts'

/** A log that does not answer must not hold a delivery up. */
const PATIENCE_MS = 2_000
/** How often the log is asked whether it has taken the attempt in. */
const TRIES = 20
const BETWEEN_TRIES_MS = 50

/** The sender's side: its clock and its delivery log. Everything is optional help; nothing of it ever fails a delivery. */
export class SenderLog {
  readonly #admin: AdminClient | undefined
  readonly #clock: Clock
  /** Milliseconds by which the sender's clock is ahead, as far as was seen. */
  #aheadMs = 0

  constructor(admin: AdminClient | undefined, clock: Clock) {
    this.#admin = admin
    this.#clock = clock
  }

  /** Learns from a timestamp that the server has just made how far its clock is ahead. */
  calibrate(timestamp: string): void {
    const at = Date.parse(timestamp)
    const ahead = at - this.#clock.now()
    // Below a minute it is a network's delay and an ordinary clock's error; the tolerance covers that.
    if (Math.abs(ahead) > 60_000) this.#aheadMs = ahead
  }

  /** The sender's time in milliseconds: a reference server's own clock where it can be read. */
  async now(): Promise<number> {
    const told = await this.#ask((admin) => admin.now())
    return told ?? this.#clock.now() + this.#aheadMs
  }

  /** What the log has of a delivery; undefined when it cannot be read. */
  entry(deliveryId: string): Promise<DeliveryDetails | undefined> {
    return this.#ask((admin) => admin.delivery(deliveryId))
  }

  /** The entry once it holds attempt `number`: the server takes it in only after our answer. */
  async entryAfter(deliveryId: string, number: number): Promise<DeliveryDetails | undefined> {
    for (let tried = 0; this.#admin && tried < TRIES; tried += 1) {
      const entry = await this.entry(deliveryId)
      const attempt = entry?.attempts.find((one) => one.number === number)
      if (!entry || (attempt && (attempt.http_status !== null || attempt.error !== null))) return entry
      await this.#clock.sleep(BETWEEN_TRIES_MS)
    }
    return undefined
  }

  async #ask<Answer>(question: (admin: AdminClient) => Promise<Answer>): Promise<Answer | undefined> {
    if (!this.#admin) return undefined
    const over = new AbortController()
    const late = this.#clock.sleep(PATIENCE_MS, over.signal).then(
      () => undefined,
      () => undefined,
    )
    try {
      return await Promise.race([question(this.#admin), late])
    } catch {
      return undefined
    } finally {
      over.abort()
    }
  }
}
