import { usage } from '../failure.ts'
import { parseSpan } from '../output/time.ts'
import type { Clock } from '../runtime.ts'

/** A whole number from 1, for options such as `--limit`. @throws Failure exit 2 */
export function countOption(name: string): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
    if (value >= 1) return value
    throw usage(`${name} takes a whole number from 1, not "${text}"`)
  }
}

/** A length of time such as `30s`, `5m`, `2h`, in milliseconds. @throws Failure exit 2 */
export function spanOption(name: string): (text: string) => number {
  return (text) => {
    const ms = parseSpan(text)
    if (ms !== undefined) return ms
    throw usage(`${name} takes a span such as 30s, 5m or 2h, not "${text}"`)
  }
}

/** An http(s) URL. @throws Failure exit 2 */
export function urlOption(name: string): (text: string) => string {
  return (text) => {
    let protocol: string | undefined
    try {
      protocol = new URL(text).protocol
    } catch {
      protocol = undefined
    }
    if (protocol === 'http:' || protocol === 'https:') return text
    throw usage(`${name} takes an http or https URL, not "${text}"`)
  }
}

/** A whole number id, such as that of a response. @throws Failure exit 2 */
export function idArgument(name: string, text: string | undefined): number {
  const id = text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
  if (id !== undefined) return id
  throw usage(`the id of a ${name} is a whole number, not "${text ?? ''}"`)
}

/** An argument that commander has already required. */
export function required(text: string | undefined): string {
  return text ?? ''
}

/** `--since` as the service takes it: a span such as `2h` counts back from now, anything else is passed on. */
export function sinceOption(text: string | undefined, clock: Clock): string | undefined {
  const ms = text === undefined ? undefined : parseSpan(text)
  return ms === undefined ? text : new Date(clock.now() - ms).toISOString()
}
