import { isObject } from '@formwire/internal/json'
import { type Check, firstUnknown, OptionError, quote, whole } from '../known-names.ts'
import { UNSPECIFIED, type Unspecified } from '../unspecified.ts'

/** What happens to the delivery of a response. Times are milliseconds of the rehearsal. */
export type DeliveryTrouble =
  /** The first attempt reaches the program twice. */
  | { readonly kind: 'duplicate'; readonly after_ms: number }
  /** The first attempt is held back. */
  | { readonly kind: 'delay'; readonly for_ms: number }
  /** The first attempt is held back until another delivery has reached the program. */
  | { readonly kind: 'reorder' }
  /** Once it was delivered, it is replayed. */
  | { readonly kind: 'replay'; readonly after_ms: number }
  /** Attempts fail before they reach the program. */
  | { readonly kind: 'fail-before'; readonly times: number }
  /** Attempts reach the program, whose answers are lost. */
  | { readonly kind: 'fail-after'; readonly times: number }
  /** The first attempt reaches the program, and is given up before or after it answers. */
  | { readonly kind: 'timeout'; readonly after_ms: number }

/** A response of a schedule. */
export interface ScheduledResponse {
  readonly at_ms: number
  /** It has the `submitted_at` of the one before it. */
  readonly same_instant?: boolean | undefined
  /** It is a draft for so long; `null`: for ever. */
  readonly draft_ms?: number | null | undefined
  /** It is deleted so long after it was submitted. */
  readonly delete_ms?: number | undefined
  readonly delivery?: readonly DeliveryTrouble[] | undefined
}

/** When a program is stopped: at `at_ms`, or at the first such moment after it. */
export type StopMoment = 'now' | 'received' | 'acknowledged' | 'page'

/** Something that happens beside the responses. */
export type ScheduledStep =
  | {
      readonly at_ms: number
      readonly kind: 'kill' | 'terminate'
      readonly when: StopMoment
      readonly then_ms: number
      readonly down_ms: number
    }
  | { readonly at_ms: number; readonly kind: 'rotate' }
  /** So many responses are submitted at once: more than fit on a page. Nothing happens to them. */
  | { readonly at_ms: number; readonly kind: 'burst'; readonly count: number }
  /** The newest responses are deleted when the program reads its next page but one: between two pages. */
  | { readonly at_ms: number; readonly kind: 'delete' }
  | {
      readonly at_ms: number
      readonly kind: 'pause' | 'outage' | 'api-429' | 'api-500' | 'api-slow'
      readonly for_ms: number
    }
  | {
      readonly at_ms: number
      readonly kind: 'api-reset'
      readonly for_ms: number
      readonly how: 'before' | 'unanswered' | 'middle' | 'truncated'
    }

/** What happens in a run, and when. It can be kept as JSON and played again. Times are milliseconds: of a process in real time, on a manual clock multiplied by `speed`. */
export interface Schedule {
  readonly version: 1
  /** Responses that are submitted, at most 1,000, with what happens to each. */
  readonly responses: readonly ScheduledResponse[]
  /** What happens beside them, at most 1,000: restarts, outages, failures of the API, bursts of at most 10,000 responses in all. */
  readonly steps: readonly ScheduledStep[]
  /** How the service writes timestamps, which deployments may choose. @default 'milliseconds' */
  readonly timestamps?: Unspecified['timestamps'] | undefined
}

export const MAX_RESPONSES = 1000
const MAX_STEPS = 1000
/** In all bursts of a schedule together. */
const MAX_IN_BURSTS = 10_000
const MAX_TROUBLES = 10
/** The longest time in a schedule. */
const MAX_MS = 600_000

type Members = Readonly<Record<string, Check>>

const oneOf = (...values: readonly unknown[]): Check => [
  (value) => values.includes(value),
  `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
]
/** What is read by itself. */
const ANY: Check = [() => true, '']
const ms = whole(0, MAX_MS)
const times = whole(1, 6)

/** The troubles of a delivery, and what each has beside its kind. */
export const TROUBLES: Readonly<Record<DeliveryTrouble['kind'], Members>> = {
  duplicate: { after_ms: ms },
  delay: { for_ms: ms },
  reorder: {},
  replay: { after_ms: ms },
  'fail-before': { times },
  'fail-after': { times },
  timeout: { after_ms: ms },
}
const STOP = { when: oneOf('now', 'received', 'acknowledged', 'page'), then_ms: ms, down_ms: ms }
const STEPS: Readonly<Record<ScheduledStep['kind'], Members>> = {
  kill: STOP,
  terminate: STOP,
  rotate: {},
  burst: { count: whole(0, MAX_RESPONSES) },
  delete: {},
  pause: { for_ms: ms },
  outage: { for_ms: ms },
  'api-429': { for_ms: ms },
  'api-500': { for_ms: ms },
  'api-slow': { for_ms: ms },
  'api-reset': { for_ms: ms, how: oneOf('before', 'unanswered', 'middle', 'truncated') },
}
const RESPONSE: Members = {
  delivery: ANY,
  same_instant: oneOf(true, false),
  draft_ms: [(value) => value === null || ms[0](value), `null or ${ms[1]}`],
  delete_ms: ms,
}
const VERSION: Check = [(value) => value === 1, '1']

/** Reads a schedule. @throws OptionError that names the first member that is unknown or invalid */
export function readSchedule(value: unknown): Schedule {
  const members = { version: VERSION, responses: ANY, steps: ANY }
  const schedule = object(value, 'schedule', members, { timestamps: oneOf(...UNSPECIFIED.timestamps) })
  list(schedule.responses, 'schedule.responses', MAX_RESPONSES, (response, at) => {
    const { delivery = [] } = object(response, at, { at_ms: ms }, RESPONSE)
    list(delivery, `${at}.delivery`, MAX_TROUBLES, (trouble, at) => readKind(trouble, at, TROUBLES))
  })
  let inBursts = 0
  list(schedule.steps, 'schedule.steps', MAX_STEPS, (step, at) => {
    const { kind, count } = readKind(step, at, STEPS, { at_ms: ms })
    if (kind === 'burst') inBursts += count as number
  })
  if (inBursts > MAX_IN_BURSTS)
    refuse('schedule.steps', `bursts of at most ${MAX_IN_BURSTS} responses in all`, inBursts)
  return value as Schedule
}

/** Reads an object that has a kind, and the members of this kind. */
function readKind(
  value: unknown,
  at: string,
  kinds: Readonly<Record<string, Members>>,
  shared: Members = {},
): Record<string, unknown> {
  const kind = oneOf(...Object.keys(kinds))
  if (isObject(value) && !kind[0](value.kind)) refuse(`${at}.kind`, kind[1], value.kind)
  return object(value, at, { kind, ...shared, ...kinds[(value as { kind: string } | null)?.kind ?? ''] })
}

function object(
  value: unknown,
  at: string,
  members: Members,
  optional: Members = {},
): Record<string, unknown> {
  if (!isObject(value)) refuse(at, 'an object', value)
  const known = Object.keys({ ...members, ...optional })
  const unknown = firstUnknown(value, known)
  if (unknown !== undefined) refuse(at, `an object with ${known.join(', ')}`, unknown)
  for (const [name, [holds, expected]] of Object.entries({ ...members, ...optional })) {
    const given = value[name]
    if ((given !== undefined || name in members) && !holds(given)) refuse(`${at}.${name}`, expected, given)
  }
  return value
}

function list(value: unknown, at: string, max: number, read: (item: unknown, at: string) => void): void {
  if (!Array.isArray(value)) refuse(at, 'an array', value)
  if (value.length > max) refuse(at, `an array of at most ${max} items`, value.length)
  for (const [index, item] of value.entries()) read(item, `${at}[${index}]`)
}

function refuse(at: string, expected: string, value: unknown): never {
  throw new OptionError(`${at} must be ${expected}, got ${quote(value)}.`)
}
