import type { SleepClock } from '@formwire/internal/clock'
import { usage } from '../failure.ts'
import { parseSpan } from '../output/time.ts'

/** Returns a parser for a positive integer, for options such as `--limit`. @throws Failure exit 2 */
export function countOption(name: string): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
    if (value >= 1) return value
    throw usage(`${name} must be a positive integer, got "${text}"`)
  }
}

/** Returns a parser for a length of time such as `30s`, `5m` or `2h`, in milliseconds. @throws Failure exit 2 */
export function spanOption(name: string): (text: string) => number {
  return (text) => {
    const ms = parseSpan(text)
    if (ms !== undefined) return ms
    throw usage(`${name} must be a length of time such as 30s, 5m or 2h, got "${text}"`)
  }
}

/** Returns a parser for a length of time greater than 0, in milliseconds. @throws Failure exit 2 */
export function positiveSpanOption(name: string): (text: string) => number {
  const parse = spanOption(name)
  return (text) => {
    const ms = parse(text)
    if (ms > 0) return ms
    throw usage(`${name} must be greater than 0, got "${text}"`)
  }
}

/** Returns a parser for one of `values`, which are its `choices`. @throws Failure exit 2 */
export function choiceOption<Value extends string>(
  name: string,
  values: readonly Value[],
): ((text: string) => Value) & { choices: readonly Value[] } {
  const parse = (text: string): Value => {
    const value = values.find((candidate) => candidate === text)
    if (value !== undefined) return value
    throw usage(`${name} must be one of ${values.join(', ')}, got "${text}"`)
  }
  return Object.assign(parse, { choices: values })
}

/** Returns a parser for an http(s) URL. @throws Failure exit 2 */
export function urlOption(name: string): (text: string) => string {
  return (text) => {
    let protocol: string | undefined
    try {
      protocol = new URL(text).protocol
    } catch {
      protocol = undefined
    }
    if (protocol === 'http:' || protocol === 'https:') return text
    throw usage(`${name} must be an http or https URL, got "${text}"`)
  }
}

/** Returns a parser of an option that can be repeated: each value is added to those before. */
export function repeatedOption<Value>(parse: (text: string) => Value[]) {
  return (text: string, previous: never): Value[] => [
    ...((previous as Value[] | undefined) ?? []),
    ...parse(text),
  ]
}

/** Parses an integer id, such as that of a response. @throws Failure exit 2 */
export function idArgument(name: string, text: string | undefined): number {
  const id = text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
  if (id !== undefined) return id
  throw usage(`the ${name} id must be an integer, got "${text ?? ''}"`)
}

/** Parses FORM/RESPONSE: the ids of a response. */
export function responseIds(text: string): { formId: string; id: number } | undefined {
  const [, formId, id] = /^(.+)\/(\d{1,15})$/.exec(text) ?? []
  return formId === undefined ? undefined : { formId, id: Number(id) }
}

/** Returns an argument that commander has already required. */
export function required(text: string | undefined): string {
  return text ?? ''
}

const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** What a time may be. */
export const SINCE_HINT =
  'for example 2026-11-21, 2026-11-21T09:30Z, 30m, 2h, 7d or 2w (back from now); a time without a zone is UTC'

/** Converts `--since` to a time of the API: a span such as `2h` counts back from now. @throws Failure exit 2 */
export function sinceOption(text: string | undefined, clock: SleepClock): string | undefined {
  const since = text === undefined ? undefined : sinceTime(text, clock)
  if (text === undefined || since !== undefined) return since
  throw usage(`--since must be an ISO 8601 time or a span, got "${text}"`, SINCE_HINT)
}

/** As {@link sinceOption}, but returns undefined for another text. */
export function sinceTime(text: string, clock: SleepClock): string | undefined {
  const ms = parseSpan(text)
  if (ms === undefined) return isTime(text) ? text : undefined
  const time = new Date(clock.now() - ms)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

function isTime(text: string): boolean {
  const day = ISO_TIME.exec(text)?.[1]
  // Date.parse alone rolls 30 February over to March.
  return (
    day !== undefined &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(day).getUTCDate() === Number(day.slice(8))
  )
}
