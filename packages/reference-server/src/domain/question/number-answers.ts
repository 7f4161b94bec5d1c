import { accepted } from '../result.ts'
import { type AnswerHandler, refusedAnswer } from './handler.ts'
import { numericBounds, type Question } from './question.ts'

function rangeMessage(question: Question, whole: boolean): string {
  const { min, max } = numericBounds(question)
  const kind = whole ? 'a whole number' : 'a number'
  if (Number.isFinite(min) && Number.isFinite(max)) return `Enter ${kind} from ${min} to ${max}.`
  if (Number.isFinite(min)) return `Enter ${kind} of ${min} or more.`
  if (Number.isFinite(max)) return `Enter ${kind} of ${max} or less.`
  return `Enter ${kind}.`
}

/**
 * `1,234.50`: grouped, with at least two decimals. Made on first use: the first `Intl` object of a process takes 25 ms, a
 * third of the server's start.
 */
let variantFormat: Intl.NumberFormat | undefined

function variantText(value: number): string {
  variantFormat ??= new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 20 })
  return variantFormat.format(value)
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** Maximum length of a text that is parsed as a number. Every double written in full is shorter, 1e-323 included. */
const NUMBER_MAX_LENGTH = 1100

/** Returns the number that a text without spaces around it is; `undefined` if it is none. */
export const numberInText = (text: string): number | undefined =>
  text.length <= NUMBER_MAX_LENGTH && NUMBER.test(text) ? Number(text) : undefined

const DIGITS = 'Use the digits 0 to 9, and a hyphen (-) for minus.'

/** Why a text that looks like a number is none, and a whole number is none. The first that matches applies. */
const REASONS: readonly (readonly [pattern: RegExp, ofNumber: string, ofWhole?: string])[] = [
  // In `1,000` the comma may be either.
  [/^[+-]?(?!\d{1,3},\d{3}$)\d*,\d+$/, 'Write decimals with a point, not a comma.'],
  [
    /^[+-]?(?=.*[\s,'\u2019_]|.*\..*\.)\s*\d[\d\s.,'\u2019_]*$/,
    'Write it without spaces or separators, and decimals with a point.',
    'Write it without spaces or separators.',
  ],
  [/^(?=.*[^ -~])(?=.*\p{Nd})[\p{Nd}\p{Pd}\u2212\s.,+\uFF0B\uFF0C\uFF0E\u066B\u066C]+$/u, DIGITS, DIGITS],
]

function reasonFor(value: unknown, whole: boolean): string {
  if (typeof value !== 'string') return ''
  if (numberInText(value.trim()) !== undefined) return ' Send it as a number, not as text.'
  const [, ofNumber, ofWhole] = REASONS.find(([pattern]) => pattern.test(value)) ?? []
  const reason = whole ? ofWhole : ofNumber
  return reason === undefined ? '' : ` ${reason}`
}

function numberHandler(whole: boolean): AnswerHandler<number> {
  return {
    shape: 'number',
    check(question, value) {
      const { min, max } = numericBounds(question)
      // JSON allows 1e999, which parses as Infinity.
      if (typeof value !== 'number' || !Number.isFinite(value)) {
        return refusedAnswer(`${rangeMessage(question, whole)}${reasonFor(value, whole)}`)
      }
      if (whole && !Number.isInteger(value)) return refusedAnswer(rangeMessage(question, whole))
      if (value < min || value > max) return refusedAnswer(rangeMessage(question, whole))
      // JSON.stringify does not keep a negative zero.
      return accepted(value === 0 ? 0 : value)
    },
    text: (_question, value, style) => (style === 'default' ? String(value) : variantText(value)),
  }
}

/** Any finite number. */
export const anyNumber = numberHandler(false)
/** An integer, such as a step of a scale. */
export const wholeNumber = numberHandler(true)
