import type { SleepClock } from '@formwire/internal/clock'
import { urlOf } from '@formwire/internal/url'
import type { OptionSpec } from '../command.ts'
import { type Failure, fileProblem, usage } from '../failure.ts'
import { parseSpan } from '../output/time.ts'

/** Parses a positive integer, for options such as `--limit`. @throws Failure exit 2 */
export function count(text: string, option: string): number {
  if (wholeNumber(text) > 0) return Number(text)
  throw usage(`${option} must be a positive integer, got "${text}"`)
}

const wholeNumber = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : -1)

/** `--rate` of bulk work. */
export const RATE = {
  name: 'rate',
  value: 'n',
  description: 'requests a minute after the first ten, 0 for any number',
  default: '108; any number on a server of formwire serve',
  parse(text: string, option: string): number {
    if (wholeNumber(text) >= 0) return Number(text)
    throw usage(`${option} must be an integer from 0, got "${text}"`)
  },
} as const satisfies OptionSpec

/** Parses a length of time such as `30s`, `5m` or `2h` into milliseconds. @throws Failure exit 2 */
export function span(text: string, option: string): number {
  const ms = parseSpan(text)
  if (ms !== undefined) return ms
  throw usage(`${option} must be a length of time such as 30s, 5m or 2h, got "${text}"`)
}

/** Parses a length of time greater than 0. @throws Failure exit 2 */
export function positiveSpan(text: string, option: string): number {
  const ms = span(text, option)
  if (ms > 0) return ms
  throw usage(`${option} must be greater than 0, got "${text}"`)
}

/** Parses one of `values`. @throws Failure exit 2 */
export function choiceOf<Value extends string>(
  text: string,
  name: string,
  values: readonly Value[],
  hint?: string,
): Value {
  const value = values.find((candidate) => candidate === text)
  if (value !== undefined) return value
  throw usage(`${name} must be one of ${values.join(', ')}, got "${text}"`, hint)
}

/** Parses an http(s) URL. @throws Failure exit 2 */
export function httpUrl(text: string, option: string): string {
  const protocol = urlOf(text)?.protocol
  if (protocol === 'http:' || protocol === 'https:') return text
  throw usage(`${option} must be an http or https URL, got "${text}"`)
}

/** Parses an integer id, such as that of a response. @throws Failure exit 2 */
export function idArgument(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw usage(`the ${name} id must be an integer, got "${text}"`)
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

/** Parses a port; 0 is any free one. @throws Failure exit 2 */
export function port(text: string, option: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (number <= 65_535) return number
  throw usage(`${option} must be an integer from 0 to 65535, got "${text}"`)
}

/** Returns the usage error for a port that cannot be listened on. @param option that chooses another one */
export function portFailure(error: unknown, port: number, option: string): Failure {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return usage(`port ${port} is already in use`, `choose another with ${option} (0 = any free port)`)
  if (code === 'EACCES')
    return usage(
      `port ${port} requires elevated privileges`,
      `choose one above 1023 with ${option} (0 = any free port)`,
    )
  return usage(`cannot listen on port ${port}: ${fileProblem(error)}`)
}
