import { explainError } from '@formwire/internal/attempt-errors'
import { duration } from '../../format.ts'
import type { Logged } from '../../state/deliveries.ts'

/** Maximum length of what is quoted of a response body. */
const WORDS_MAX = 80

/** Returns what a response body says first: its first line, or its first text or message in HTML and JSON. */
export function firstWords(body: string): string {
  const found = /^\s*</.test(body)
    ? />\s*([^<>\s][^<>]*)</.exec(body)
    : /"(?:message|error|detail|title)"\s*:\s*"([^"]+)"/.exec(body)
  const words = (found?.[1] ?? body).trim().split(/[\r\n]/, 1)[0] ?? ''
  return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)}…` : words
}

/** Returns why a delivery was stopped. The note about a pause is put in the past: it stays after the endpoint was resumed. */
export function noteText(note: string | null, isPaused: boolean, isReplayed = false): string {
  const past = (note ?? '').replace(/^The endpoint is paused\b/, 'The endpoint was paused')
  if (isReplayed) return past.replace(/ (?:Resume|Replay) it .*/, '')
  return isPaused ? past : past.replace(/ Resume it and .*/, '')
}

/** Returns what an error class means in a few words, beside it: `nothing is listening` for `refused`. */
function reasonOf(error: string): string {
  const [, reason = ''] = /^(?:Connection refused: )?(.*?)(?: there)?(?:\.|$)/.exec(explainError(error)) ?? []
  return `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`
}

/**
 * Returns what the last attempt came to, in words, beside its HTTP status or error class: `deploy in progress` (of the response body),
 * `nothing is listening`, `87 ms`. If the delivery ended before its last attempt, also why.
 */
export function outcomeText({ http_status: http, error, receiver_answer: body, ...of }: Logged): string {
  const said = firstWords(body ?? '').replace(new RegExp(`^${http}\\b\\W*`), '')
  const words =
    error === null
      ? of.attempts > 0 && duration(of.duration_ms ?? 0)
      : http === null
        ? reasonOf(error)
        : said || (http < 400 ? 'redirects are not followed' : 'no response body')
  const note = of.status === 'failed' && noteText(of.note, false).replace(/^The /, '').split('.', 1)[0]
  return [words, note].filter(Boolean).join(' · ') || 'not sent yet'
}

/**
 * Returns what the latest attempts of deliveries came to, such as `6 delivered, 1 http_503, 1 refused`.
 *
 * @param ended Those whose attempt has ended.
 * @param total Number of all of them.
 */
export function outcomesText(ended: readonly Logged[], total: number): string {
  const amounts = new Map<string, number>()
  const add = (what: string) => amounts.set(what, (amounts.get(what) ?? 0) + 1)
  for (const { error } of ended) if (error === null) add('delivered')
  for (const { error } of ended) if (error !== null) add(error)
  if (ended.length < total) amounts.set('without a result yet', total - ended.length)
  return Array.from(amounts, ([what, amount]) => `${amount} ${what}`).join(', ')
}
