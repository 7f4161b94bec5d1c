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

/** `1,234.50`: grouped, with at least two decimals. */
/** Made on first use: the first `Intl` object of a process takes 25 ms, a third of the server's start. */
let variantFormat: Intl.NumberFormat | undefined

function variantText(value: number): string {
  variantFormat ??= new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 20 })
  return variantFormat.format(value)
}

function numberHandler(whole: boolean): AnswerHandler<number> {
  return {
    check(question, value) {
      const { min, max } = numericBounds(question)
      // JSON allows 1e999, which parses as Infinity.
      if (typeof value !== 'number' || !Number.isFinite(value)) {
        const hasComma = !whole && typeof value === 'string' && /^[+-]?\d*,\d+$/.test(value)
        const hint = hasComma ? ' Write decimals with a point, not a comma.' : ''
        return refusedAnswer(`${rangeMessage(question, whole)}${hint}`)
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
