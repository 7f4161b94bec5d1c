import type { ClockState } from '@formwire/contract/control'
import type { SleepClock } from '@formwire/internal/clock'

/** The clock of a server, as far as it is known: that of this machine until it is set. */
export class ServerClock {
  readonly #local: Pick<SleepClock, 'now'>
  #aheadMs = 0
  #stoppedAt: number | undefined

  constructor(local: Pick<SleepClock, 'now'>) {
    this.#local = local
  }

  /** Sets it by what the server has just responded. */
  readonly set = ({ mode, now }: ClockState): void => {
    const at = Date.parse(now)
    this.#aheadMs = at - this.#local.now()
    this.#stoppedAt = mode === 'manual' ? at : undefined
  }

  /** Returns its time, in milliseconds since the epoch. */
  readonly now = (): number => this.#stoppedAt ?? this.#local.now() + this.#aheadMs
}
