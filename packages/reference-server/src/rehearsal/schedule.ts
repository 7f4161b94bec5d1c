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

const oneOf = (...values: readonly unknown[]): Check => [
  (value) => values.includes(value),
  `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
]
const ms = whole(0, MAX_MS)
const times = whole(1, 6)

/** The troubles of a delivery, and what each has beside its kind. */
export const TROUBLES: Readonly<Record<DeliveryTrouble['kind'], Readonly<Record<string, Check>>>> = {
  duplicate: { after_ms: ms },
  delay: { for_ms: ms },
  reorder: {},
  replay: { after_ms: ms },
  'fail-before': { times },
  'fail-after': { times },
  timeout: { after_ms: ms },
}
const STOP = { when: oneOf('now', 'received', 'acknowledged', 'page'), then_ms: ms, down_ms: ms }
const STEPS: Readonly<Record<ScheduledStep['kind'], Readonly<Record<string, Check>>>> = {
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
const RESPONSE: Readonly<Record<string, Check>> = {
  same_instant: oneOf(true, false),
  draft_ms: [(value) => value === null || ms[0](value), `null or ${ms[1]}`],
  delete_ms: ms,
}
const TIMESTAMPS = oneOf(...UNSPECIFIED.timestamps)

/** Reads a schedule. @throws OptionError that names the first member that is unknown or invalid */
export function readSchedule(value: unknown): Schedule {
  const schedule = object(value, 'schedule')
  refuseUnknown(schedule, ['version', 'responses', 'steps', 'timestamps'], 'schedule')
  if (schedule.version !== 1) refuse('schedule.version', '1', schedule.version)
  const responses = array(schedule.responses, 'schedule.responses', MAX_RESPONSES)
  for (const [index, response] of responses.entries()) readResponse(response, `schedule.responses[${index}]`)
  const steps = array(schedule.steps, 'schedule.steps', MAX_STEPS)
  for (const [index, step] of steps.entries()) {
    readKind(step, `schedule.steps[${index}]`, STEPS, { at_ms: ms })
  }
  const inBursts = (steps as ScheduledStep[]).reduce(
    (sum, step) => sum + (step.kind === 'burst' ? step.count : 0),
    0,
  )
  if (inBursts > MAX_IN_BURSTS)
    refuse('schedule.steps', `bursts of at most ${MAX_IN_BURSTS} responses in all`, inBursts)
  if (schedule.timestamps !== undefined) check(schedule, 'schedule', 'timestamps', TIMESTAMPS)
  return value as Schedule
}

function readResponse(value: unknown, at: string): void {
  const response = object(value, at)
  refuseUnknown(response, ['at_ms', 'delivery', ...Object.keys(RESPONSE)], at)
  check(response, at, 'at_ms', ms)
  for (const [name, one] of Object.entries(RESPONSE)) {
    if (response[name] !== undefined) check(response, at, name, one)
  }
  if (response.delivery === undefined) return
  for (const [index, trouble] of array(response.delivery, `${at}.delivery`, MAX_TROUBLES).entries()) {
    readKind(trouble, `${at}.delivery[${index}]`, TROUBLES, {})
  }
}

function readKind(
  value: unknown,
  at: string,
  kinds: Readonly<Record<string, Readonly<Record<string, Check>>>>,
  shared: Readonly<Record<string, Check>>,
): void {
  const given = object(value, at)
  check(given, at, 'kind', oneOf(...Object.keys(kinds)))
  const members = { ...shared, ...kinds[given.kind as string] }
  refuseUnknown(given, ['kind', ...Object.keys(members)], at)
  for (const [name, one] of Object.entries(members)) check(given, at, name, one)
}

function check(given: Record<string, unknown>, at: string, name: string, [holds, expected]: Check): void {
  if (!holds(given[name])) refuse(`${at}.${name}`, expected, given[name])
}

function object(value: unknown, at: string): Record<string, unknown> {
  return isObject(value) ? value : refuse(at, 'an object', value)
}

function array(value: unknown, at: string, max: number): unknown[] {
  if (!Array.isArray(value)) return refuse(at, 'an array', value)
  return value.length <= max ? value : refuse(at, `an array of at most ${max} items`, value.length)
}

function refuseUnknown(given: object, known: readonly string[], at: string): void {
  const name = firstUnknown(given, known)
  if (name !== undefined) refuse(at, `an object with ${known.join(', ')}`, name)
}

function refuse(at: string, expected: string, value: unknown): never {
  throw new OptionError(`${at} must be ${expected}, got ${quote(value)}.`)
}
