import type { AppliedFault, Fault, FaultInForce } from '@formwire/contract/control'
import { invalid } from '../../domain/service-error.ts'
import { type Check, quote, whole } from '../../known-names.ts'
import { seededRandom } from '../../random.ts'
import { refuseUnknownFields } from '../../services/input.ts'
import type { IncomingMessage } from '../message.ts'

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

/** Maximum delay of a fault: ten minutes. */
const DELAY_MAX_MS = 600_000

const oneOf =
  (...values: unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value)

/** Whether a path pattern can match a request to the API or a public form; any other would never apply. */
function canMatch(value: unknown): boolean {
  if (typeof value !== 'string' || /[?#]/.test(value)) return false
  const [start, ...segments] = value.split('/')
  const begins = (...wanted: string[]) =>
    wanted.every((segment, index) => segments[index] === segment || segments[index] === '*')
  return start === '' && (begins('api', 'v1') || begins('f'))
}

const isHeaderText = (value: unknown): boolean => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)

const CHECKS: { readonly [Field in keyof Required<Fault>]: Check } = {
  method: [(value) => typeof value === 'string', 'an HTTP method'],
  path: [canMatch, 'a path under /api/v1 or /f, such as /api/v1/forms/*'],
  times: [whole(1, Number.MAX_SAFE_INTEGER)[0], 'an integer of at least 1'],
  probability: [(value) => typeof value === 'number' && value >= 0 && value <= 1, 'a number from 0 to 1'],
  seed: whole(0, 0xffff_ffff),
  status: whole(200, 599),
  body: [oneOf('json', 'html', 'empty'), 'json, html or empty'],
  retry_after: [
    (value) => isHeaderText(value) || (Number.isInteger(value) && Number(value) >= 0),
    'seconds or an HTTP date',
  ],
  delay_ms: whole(0, DELAY_MAX_MS),
  reset: [
    oneOf(true, false, 'before', 'unanswered', 'middle', 'after'),
    'true, false, before, unanswered, middle or after',
  ],
  truncate: [oneOf(true, false), 'true or false'],
  content_type: [isHeaderText, 'a content type in printable ASCII'],
  drip_ms: whole(0, DELAY_MAX_MS),
  drip_bytes: whole(1, 1_048_576),
}

/** @throws ServiceError 422 naming the first field that is unknown or invalid, so that a typo does not go unnoticed. */
function checkFault(fault: Fault): void {
  refuseUnknownFields(fault, Object.keys(CHECKS))
  for (const [field, value] of Object.entries(fault)) {
    const [holds, expected] = CHECKS[field as keyof Fault]
    if (value === undefined || holds(value)) continue
    throw invalid(field, `${field} must be ${expected}, got ${quote(value)}.`)
  }
  if (fault.body !== undefined && fault.status === undefined) throw invalid('body', 'body requires status.')
}
