import type { AppliedFault, Fault, FaultInForce } from '@formwire/contract/control'
import { seededRandom } from '../../random.ts'
import type { IncomingMessage } from '../message.ts'
import { checkFault } from './check-fault.ts'

interface ActiveFault {
  readonly fault: AppliedFault
  readonly matchesPath: (path: string) => boolean
  /** Whether it applies to the next matching request. */
  readonly sample: () => boolean
  left: number
  met: number
}

/** What a test does with faults. */
export interface FaultControl extends Pick<Faults, 'add' | 'list' | 'remove' | 'clear'> {}

/** The active faults. */
export class Faults {
  #active: ActiveFault[] = []
  #lastId = 0

  /** @throws ServiceError 422 naming an invalid field. */
  add(fault: Fault): FaultInForce {
    checkFault(fault)
    const active: ActiveFault = {
      fault: { id: ++this.#lastId, ...fault },
      matchesPath: pathMatcher(fault.path),
      sample: sampler(fault.probability ?? 1, fault.seed ?? 1),
      left: fault.times ?? Number.POSITIVE_INFINITY,
      met: 0,
    }
    this.#active.push(active)
    return view(active)
  }

  /** Returns the active faults, oldest first. `times` is the number of requests left. */
  list(): FaultInForce[] {
    return this.#active.map(view)
  }

  /** Removes a fault. Returns whether it was still active. */
  remove(id: number): boolean {
    const before = this.#active.length
    this.#active = this.#active.filter(({ fault }) => fault.id !== id)
    return this.#active.length < before
  }

  clear(): void {
    this.#active = []
  }

  /** Removes all faults and restarts their ids from 1. */
  restart(): void {
    this.clear()
    this.#lastId = 0
  }

  /** Returns the fault to apply to a request and counts the request. */
  take(request: IncomingMessage): AppliedFault | undefined {
    if (this.#active.length === 0) return undefined
    const met = this.#active.find((one) => fits(one, request) && one.sample())
    if (!met) return undefined
    met.left -= 1
    met.met += 1
    if (met.left <= 0) this.#active = this.#active.filter((one) => one !== met)
    return met.fault
  }
}

const fits = ({ fault, matchesPath }: ActiveFault, request: IncomingMessage): boolean =>
  (fault.method === undefined || fault.method.toUpperCase() === request.method) && matchesPath(request.path)

const view = ({ fault: { id, ...fault }, left, met }: ActiveFault): FaultInForce => ({
  id,
  met,
  ...fault,
  ...(Number.isFinite(left) ? { times: left } : {}),
})

function sampler(probability: number, seed: number): () => boolean {
  const random = seededRandom(seed)
  return () => Buffer.from(random.bytes(3)).readUIntBE(0, 3) / 0x100_0000 < probability
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
