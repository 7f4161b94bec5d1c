import type { Output } from '../output/output.ts'

/** Reports an outage once when it begins, and once when it is over. */
export class ConnectionWatch {
  readonly #output: Pick<Output, 'announce'>
  #isLost = false

  constructor(output: Pick<Output, 'announce'>) {
    this.#output = output
  }

  /** A request has failed and is repeated. */
  lost(error: Error): void {
    if (this.#isLost) return
    this.#isLost = true
    const reason = error.message.replace(/\.$/, '')
    this.#output.announce('connection_lost', `connection lost (${reason}); reconnecting`)
  }

  /** A response has arrived. An error of the server does not end an outage. */
  responded(status: number): void {
    if (!this.#isLost || status >= 500) return
    this.#isLost = false
    this.#output.announce('reconnected', 'connected again')
  }
}
