import type { SleepClock } from '@formwire/internal/clock'
import type { ControlClient } from '../control/client.ts'
import type { DeliveryDetails } from '../control/delivery.ts'
import { ServerClock } from '../control/server-clock.ts'

/** Timeout of a request to the log, in milliseconds, so that it does not delay a delivery. */
const TIMEOUT_MS = 2_000
/** How often to poll the log for an attempt. */
const MAX_POLLS = 20
const POLL_INTERVAL_MS = 50

/** The sender's clock and delivery log. Both are optional: a failure here never fails a delivery. */
export class SenderLog {
  readonly #control: ControlClient | undefined
  readonly #clock: SleepClock
  /** The sender's clock. */
  readonly senderClock: ServerClock

  constructor(control: ControlClient | undefined, clock: SleepClock) {
    this.#control = control
    this.#clock = clock
    this.senderClock = new ServerClock(clock)
  }

  /** Estimates the offset of the sender's clock from a timestamp that the server has just generated. */
  calibrate(timestamp: string): void {
    const ahead = Date.parse(timestamp) - this.#clock.now()
    // Less than a minute may be latency or ordinary clock drift, which the tolerance covers.
    if (Math.abs(ahead) > 60_000) this.senderClock.set({ mode: 'real', now: timestamp })
  }

  /** Returns the sender's time in milliseconds: a reference server's clock if available, else an estimate. */
  async now(): Promise<number> {
    const state = await this.#read((control) => control.clock())
    if (state) this.senderClock.set(state)
    return this.senderClock.now()
  }

  /** Returns a delivery of the log; undefined if it is not available. */
  delivery(deliveryId: string): Promise<DeliveryDetails | undefined> {
    return this.#read((control) => control.delivery(deliveryId))
  }

  /** Returns the delivery once it contains the outcome of attempt `number`, which the server adds after our response. */
  async deliveryAfter(deliveryId: string, number: number): Promise<DeliveryDetails | undefined> {
    for (let polls = 0; this.#control && polls < MAX_POLLS; polls += 1) {
      const delivery = await this.delivery(deliveryId)
      const attempt = delivery?.attempts.find((one) => one.number === number)
      if (!delivery || (attempt && (attempt.http_status !== null || attempt.error !== null))) return delivery
      await this.#clock.sleep(POLL_INTERVAL_MS)
    }
    return undefined
  }

  async #read<Value>(read: (control: ControlClient) => Promise<Value>): Promise<Value | undefined> {
    if (!this.#control) return undefined
    const over = new AbortController()
    const timeout = this.#clock.sleep(TIMEOUT_MS, over.signal).then(
      () => undefined,
      () => undefined,
    )
    try {
      return await Promise.race([read(this.#control), timeout])
    } catch {
      return undefined
    } finally {
      over.abort()
    }
  }
}
