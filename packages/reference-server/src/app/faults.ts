import type { IncomingMessage } from '../http/message.ts'
import { seededRandom } from '../random.ts'
import { checkFault } from './check-fault.ts'

/**
 * A failure to be shown to clients of the API and of public forms. Without an effect of its own a fault only counts.
 * The first fault that fits a request meets it; one that its `probability` spares goes on to the next.
 */
export interface Fault {
  /** Upper case. @default any method */
  method?: string
  /** Whole path, with `*` for any one segment: `/api/v1/forms/*`. @default any path */
  path?: string
  /**
   * How many requests it meets. Requests, not calls: each retry of a client is one more. Leave it out and clear the fault
   * to fail a call whatever the client retries. @default all
   */
  times?: number
  /** Share of the requests that fit which it meets, 0 to 1. @default 1 */
  probability?: number
  /** Seed of the draws for `probability`: the same seed meets the same requests. @default 1 */
  seed?: number

  /** Answer with this status instead of doing the work. One without a documented code comes as a proxy's HTML page. */
  status?: number
  /** With `status`: what the body is. `empty` has none. @default 'json' for a documented status, else 'html' */
  body?: 'json' | 'html' | 'empty'
  /** `Retry-After` of the answer: seconds, or an HTTP date. */
  retry_after?: number | string
  /** Real milliseconds to wait first. */
  delay_ms?: number
  /**
   * Cut the connection. `before` (or `true`): nothing is done, nothing answered. `unanswered`: the work is done, nothing
   * answered. `middle`: the work is done, half of the answer is sent. `after`: the whole answer is sent.
   */
  reset?: boolean | 'before' | 'unanswered' | 'middle' | 'after'
  /** End the body properly in its middle: broken JSON. */
  truncate?: boolean
  /** Answer with this `Content-Type`. */
  content_type?: string
  /** Send the body in bits, with so many real milliseconds between them. */
  drip_ms?: number
  /** Bytes of each bit. @default 16 */
  drip_bytes?: number
}

/** A fault in force, as it is listed. */
export interface FaultInForce extends Fault {
  /** Counted from 1 since the start or the last reset. */
  readonly id: number
  /** How many requests it has met. */
  readonly met: number
}

interface ActiveFault {
  readonly id: number
  readonly fault: Fault
  readonly matchesPath: (path: string) => boolean
  /** Whether it meets the next request that fits. */
  readonly draw: () => boolean
  left: number
  met: number
}

/** The faults in force. */
export class Faults {
  #active: ActiveFault[] = []
  #lastId = 0

  /** @throws ServiceError 422 with the field that cannot be used. */
  add(fault: Fault): FaultInForce {
    checkFault(fault)
    const active: ActiveFault = {
      id: ++this.#lastId,
      fault: { ...fault },
      matchesPath: pathMatcher(fault.path),
      draw: drawer(fault.probability ?? 1, fault.seed ?? 1),
      left: fault.times ?? Number.POSITIVE_INFINITY,
      met: 0,
    }
    this.#active.push(active)
    return view(active)
  }

  /** Those in force, oldest first; `times` is what is left, `met` how many requests each has met. */
  list(): FaultInForce[] {
    return this.#active.map(view)
  }

  /** Takes one back. Whether it was still in force. */
  remove(id: number): boolean {
    const before = this.#active.length
    this.#active = this.#active.filter((one) => one.id !== id)
    return this.#active.length < before
  }

  clear(): void {
    this.#active = []
  }

  /** Takes all back, and counts their ids from 1 again. */
  restart(): void {
    this.clear()
    this.#lastId = 0
  }

  /** The fault that meets this request, used up by one. */
  take(request: IncomingMessage): Fault | undefined {
    if (this.#active.length === 0) return undefined
    const met = this.#active.find((one) => fits(one, request) && one.draw())
    if (!met) return undefined
    met.left -= 1
    met.met += 1
    if (met.left <= 0) this.#active = this.#active.filter((one) => one !== met)
    return met.fault
  }
}

const fits = ({ fault, matchesPath }: ActiveFault, request: IncomingMessage): boolean =>
  (fault.method === undefined || fault.method.toUpperCase() === request.method) && matchesPath(request.path)

const view = ({ id, fault, left, met }: ActiveFault): FaultInForce => ({
  id,
  met,
  ...fault,
  ...(Number.isFinite(left) ? { times: left } : {}),
})

function drawer(probability: number, seed: number): () => boolean {
  if (probability >= 1) return () => true
  const random = seededRandom(seed)
  return () => {
    const [high = 0, middle = 0, low = 0] = random.bytes(3)
    return (high * 65_536 + middle * 256 + low) / 0x100_0000 < probability
  }
}

function pathMatcher(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined) return () => true
  const wanted = pattern.split('/')
  return (path) => {
    const segments = path.split('/')
    return (
      segments.length === wanted.length && wanted.every((part, i) => part === '*' || part === segments[i])
    )
  }
}
