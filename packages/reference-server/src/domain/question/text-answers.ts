import { type AnswerHandler, accepted, type Checked, refused, SKIPPED } from './handler.ts'
import { numericBounds, type Question } from './question.ts'

/** Longest address that mail can carry (RFC 5321, errata 1690). */
const EMAIL_MAX_LENGTH = 254
const EMAIL_LOCAL = /^[^\s@"(),:;<>[\]\\\p{Cc}.]+(?:\.[^\s@"(),:;<>[\]\\\p{Cc}.]+)*$/u
const WHITE_OR_CONTROL = /[\s\p{Cc}]/u
const PHONE = /^[+\d\s()./*#,;-]+(?:(?:ext\.?|x)\s*\d{1,8})?$/i
const PHONE_DIGITS = { min: 3, max: 20 }

let hostLabel: RegExp | undefined

/**
 * One label of a host name, in letters of any script. Its expression is made from a text, and late: V8 would draw up the
 * letters of all scripts at every start.
 */
function isHostLabel(text: string): boolean {
  hostLabel ??= /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u
  return hostLabel.test(text)
}

/** Whether a text is a mail address with a host of at least two labels; letters of any script are taken. */
export function isEmailAddress(text: string): boolean {
  if (text.length > EMAIL_MAX_LENGTH) return false
  const at = text.lastIndexOf('@')
  const labels = text.slice(at + 1).split('.')
  return at > 0 && EMAIL_LOCAL.test(text.slice(0, at)) && labels.length > 1 && labels.every(isHostLabel)
}

/** Whether a text is an absolute http or https address, with nothing that a parser would have to trim away. */
function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || WHITE_OR_CONTROL.test(text)) return false
  return URL.canParse(text)
}

function isPhoneNumber(text: string): boolean {
  // The length is looked at first: the pattern need not see a text that is far too long.
  if (text.length > 64 || !PHONE.test(text)) return false
  const digits = text.replace(/\D/g, '').length
  return digits >= PHONE_DIGITS.min && digits <= PHONE_DIGITS.max
}

function checkLength(question: Question, text: string): Checked<string> {
  const { min, max } = numericBounds(question)
  let length = text.length
  // Only count code points when the cheaper count of UTF-16 units leaves the answer open.
  if (length > max || length < 2 * min) length = [...text].length
  if (length < min) return refused(`Write at least ${min} character${min === 1 ? '' : 's'}.`)
  if (length > max) return refused(`Write at most ${max} character${max === 1 ? '' : 's'}.`)
  return accepted(text)
}

function textHandler(holds: (text: string) => boolean, message: string): AnswerHandler<string> {
  return {
    check(question, value) {
      if (typeof value !== 'string') return refused('Answer with a text.')
      if (value.trim() === '') return SKIPPED
      return holds(value) ? checkLength(question, value) : refused(message)
    },
    text: (_question, value) => value,
  }
}

export const plainText = textHandler(() => true, '')
export const email = textHandler(isEmailAddress, 'Write an email address, such as name@example.com.')
export const url = textHandler(isWebAddress, 'Write a web address that begins with https:// or http://.')
export const phone = textHandler(isPhoneNumber, 'Write a phone number, such as +44 20 7946 0000.')
