import { validateHeaderName, validateHeaderValue } from 'node:http'
import { given } from '@formwire/internal/given'
import { isObject } from '@formwire/internal/json'
import { describeUnknown, firstUnknown, namesOf, quote } from '../known-names.ts'

/** Named failures. `redirect` is a 302 to another path of the same receiver. */
export const MISBEHAVIOURS = [
  'timeout',
  'hang-body',
  'endless-body',
  'drip',
  'reset',
  'redirect',
  'garbage',
] as const

export type Misbehaviour = (typeof MISBEHAVIOURS)[number]

/** Longest delay before a response, in milliseconds. */
const DELAY_MAX_MS = 3_600_000

const ENDINGS: readonly string[] = ['whole', 'hang-body', 'endless-body', 'drip']

/** An HTTP response of the receiver. */
export interface ScriptedResponse {
  /** @default 200 */
  status?: number | undefined
  headers?: Readonly<Record<string, string>> | undefined
  body?: string | Uint8Array | undefined
  /** Real milliseconds before the response starts, at most 3,600,000. @default 0 */
  delayMs?: number | undefined
  /** How the body ends; `whole` sends it completely. @default 'whole' */
  ending?: 'whole' | 'hang-body' | 'endless-body' | 'drip' | undefined
}

const RESPONSE_MEMBERS = namesOf<ScriptedResponse>({
  status: true,
  headers: true,
  body: true,
  delayMs: true,
  ending: true,
})

/**
 * What the receiver does with one request: a status (`'500'` or `500`), a named failure, `'slow(250)'` (200 after
 * 250 ms), or a whole HTTP response.
 */
export type ScriptStep = number | string | ScriptedResponse

/** Returns a step that responds after a delay in real milliseconds. */
export const slow = (delayMs: number, status = 200): ScriptedResponse => ({ status, delayMs })

/** With defaults. */
export type CompleteResponse = {
  readonly [Name in keyof ScriptedResponse]-?: Exclude<ScriptedResponse[Name], undefined>
}

/** A parsed step. */
export type Play =
  | { readonly kind: 'timeout' | 'reset' | 'garbage' }
  | { readonly kind: 'respond'; readonly response: CompleteResponse }

/** Parses a step. @throws TypeError that quotes an invalid step. */
export function readStep(step: ScriptStep): Play {
  if (typeof step === 'object') return readResponse(step)
  switch (step) {
    case 'timeout':
    case 'reset':
    case 'garbage':
      return { kind: step }
    case 'redirect':
      return respondWith({ status: 302, headers: { location: '/redirected' } })
    case 'hang-body':
    case 'endless-body':
    case 'drip':
      return respondWith({ ending: step })
  }
  const delay = typeof step === 'string' ? /^slow\((\d{1,6})\)$/.exec(step)?.[1] : undefined
  if (delay !== undefined) return respondWith(slow(Number(delay)))
  if (!/^[2-5]\d\d$/.test(String(step))) {
    throw new TypeError(
      `Invalid step ${quote(step, SHOWN_MAX)}: must be a status from 200 to 599, slow(MS), or one of ${MISBEHAVIOURS.join(', ')}.`,
    )
  }
  const status = Number(step)
  return respondWith(
    status >= 300 && status < 400 ? { status, headers: { location: '/redirected' } } : { status },
  )
}

/** Validates here, so that the test fails where it defines the step rather than when a request arrives. */
function readResponse(step: ScriptedResponse): Play {
  const problem = problemOf(step)
  if (problem) throw new TypeError(`Invalid step ${quote(step, SHOWN_MAX)}: ${problem}`)
  return respondWith(step)
}

function problemOf(step: ScriptedResponse | null): string | undefined {
  if (step === null || Array.isArray(step)) return 'must be a status, a name, or an object.'
  const unknown = firstUnknown(step, RESPONSE_MEMBERS)
  if (unknown !== undefined) return describeUnknown('member', unknown, RESPONSE_MEMBERS)
  const { status = 200, delayMs = 0, ending = 'whole' } = step
  if (!(Number.isInteger(status) && status >= 200 && status <= 999))
    return 'status must be an integer from 200 to 999.'
  if (!(Number.isFinite(delayMs) && delayMs >= 0 && delayMs <= DELAY_MAX_MS))
    return `delayMs must be from 0 to ${DELAY_MAX_MS} milliseconds.`
  const { headers = {}, body = '' } = step
  if (!(typeof body === 'string' || body instanceof Uint8Array)) return 'body must be a string or bytes.'
  const isKnown = ENDINGS.includes(ending)
  return headersProblem(headers) ?? (isKnown ? undefined : `ending must be one of ${ENDINGS.join(', ')}.`)
}

/** Node would throw only when a request arrives. */
function headersProblem(headers: unknown): string | undefined {
  if (!isObject(headers)) return 'headers must be an object from name to value.'
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name)
      if (typeof value !== 'string') throw new TypeError('not a string')
      validateHeaderValue(name, value)
    } catch {
      return `headers[${JSON.stringify(name)}] is not a valid HTTP header.`
    }
  }
  return undefined
}

const SHOWN_MAX = 200

function respondWith(step: ScriptedResponse): Play {
  return {
    kind: 'respond',
    response: { status: 200, headers: {}, body: '', delayMs: 0, ending: 'whole', ...given(step) },
  }
}

/** Plays a script step by step: one shared by all requests, and others for single delivery ids. */
export class ScriptPlayer {
  readonly #per: 'turn' | 'delivery'
  /** Remaining steps of the shared script. */
  #shared: Play[]
  readonly #byDelivery = new Map<string, Play[]>()

  /** @throws TypeError for an invalid step. */
  constructor(script: readonly ScriptStep[], per: 'turn' | 'delivery') {
    this.#shared = script.map(readStep)
    this.#per = per
  }

  /** Returns the next step for a delivery id: 200 after the last one. */
  next(deliveryId: string): Play {
    const steps = this.#byDelivery.get(deliveryId) ?? this.#ownCopy(deliveryId) ?? this.#shared
    return steps.shift() ?? readStep(200)
  }

  /** Number of steps of the shared script that are left to play. */
  get left(): number {
    return this.#shared.length
  }

  append(steps: readonly ScriptStep[]): void {
    this.#shared.push(...steps.map(readStep))
  }

  /** Sets the script of one delivery id, which takes precedence over the shared one. */
  setFor(deliveryId: string, steps: readonly ScriptStep[]): void {
    this.#byDelivery.set(deliveryId, steps.map(readStep))
  }

  /** Removes what is left of the script of one delivery id. */
  forget(deliveryId: string): void {
    this.#byDelivery.delete(deliveryId)
  }

  /** Replaces everything that is left to play. An invalid step changes nothing. */
  replace(steps: readonly ScriptStep[]): void {
    this.#shared = steps.map(readStep)
    this.#byDelivery.clear()
  }

  /** With a script per delivery, returns the copy of this id. */
  #ownCopy(deliveryId: string): Play[] | undefined {
    if (this.#per !== 'delivery') return undefined
    const own = [...this.#shared]
    this.#byDelivery.set(deliveryId, own)
    return own
  }
}
