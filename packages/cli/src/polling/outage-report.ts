import type { Output } from '../output/output.ts'

/** Reports an outage once when it begins, and once when it is over. */
export class OutageReport {
  readonly #output: Pick<Output, 'announce'>
  readonly #isOutage: (error: Error) => boolean
  #isLost = false

  /** @param isOutage whether a failed request is an outage by itself; of other failures, the command calls `lost` */
  constructor(output: Pick<Output, 'announce'>, isOutage: (error: Error) => boolean = () => true) {
    this.#output = output
    this.#isOutage = isOutage
  }

  /** A request has failed and is repeated. */
  retried(error: Error, reason: string): void {
    if (this.#isOutage(error)) this.lost(reason)
  }

  /** An outage has begun. */
  lost(reason: string): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#output.announce('connection_lost', `connection lost (${reason}); reconnecting`)
  }

  /** A response has arrived. An error, which may be a page of a proxy, does not end an outage. */
  responded(status: number): void {
    if (status < 300) this.recovered()
  }

  /** The connection works. */
  recovered(): void {
    if (!this.#isLost) return
    this.#isLost = false
    this.#output.announce('reconnected', 'connected again')
  }
}
