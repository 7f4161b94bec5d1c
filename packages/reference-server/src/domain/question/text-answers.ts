import { urlOf } from '@formwire/internal/url'
import { accepted } from '../result.ts'
import { type AnswerHandler, type Checked, refusedAnswer, SKIPPED } from './handler.ts'
import { numericBounds, type Question } from './question.ts'

/** Maximum length of an email address (RFC 5321, erratum 1690). */
const EMAIL_MAX_LENGTH = 254
/** Maximum length of a URL, in UTF-16 units: the length that every recipient should support (RFC 9110 §4.1). */
const URL_MAX_LENGTH = 8000
/** Maximum length of a host name and of a label (RFC 1035), each with room for a port. */
const HOST_MAX_LENGTH = 253 + ':65535'.length
const LABEL_MAX_LENGTH = 63 + ':65535'.length
const EMAIL_LOCAL = /^[^\s@"(),:;<>[\]\\\p{Cc}.]+(?:\.[^\s@"(),:;<>[\]\\\p{Cc}.]+)*$/u
const WHITE_OR_CONTROL = /[\s\p{Cc}]/u
const PHONE = /^[+\d\s()./*#,;-]+(?:(?:ext\.?|x)\s*\d{1,8})?$/i
const PHONE_DIGITS = { min: 3, max: 20 }

let hostLabel: RegExp | undefined

/**
 * Whether a text is a label of a host name, in letters of any script. The expression is created on first use, since
 * compiling it slows down every start.
 */
function isHostLabel(text: string): boolean {
  hostLabel ??= /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u
  return hostLabel.test(text)
}

/** Whether a text is an email address whose host has at least two labels. Letters of any script are allowed. */
export function isEmailAddress(text: string): boolean {
  if (text.length > EMAIL_MAX_LENGTH) return false
  const at = text.lastIndexOf('@')
  const labels = text.slice(at + 1).split('.')
  return at > 0 && EMAIL_LOCAL.test(text.slice(0, at)) && labels.length > 1 && labels.every(isHostLabel)
}

/** Scheme and authority of a URL. The URL parser accepts any number of slashes or backslashes before the host. */
const WEB_ADDRESS = /^https?:\/\/[/\\]*([^/\\?#]*)/i

/** Whether a text is an absolute http or https URL without characters that the parser would strip. */
function isWebAddress(text: string): boolean {
  if (text.length > URL_MAX_LENGTH || WHITE_OR_CONTROL.test(text)) return false
  const authority = WEB_ADDRESS.exec(text)?.[1]
  if (authority === undefined) return false
  // The parser normalizes a host in quadratic time, so check the host's length first.
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (
    host.length > HOST_MAX_LENGTH ||
    host.split(/[.\u3002\uff0e\uff61]/).some((label) => label.length > LABEL_MAX_LENGTH)
  )
    return false
  return urlOf(text) !== undefined
}

function isPhoneNumber(text: string): boolean {
  // Check the length first: the pattern is slow on long texts.
  if (text.length > 64 || !PHONE.test(text)) return false
  const digits = text.replace(/\D/g, '').length
  return digits >= PHONE_DIGITS.min && digits <= PHONE_DIGITS.max
}

/** Counts one by one: spreading a text of 1 MiB would create a million strings. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

function checkLength(question: Question, text: string): Checked<string> {
  const { min, max } = numericBounds(question)
  let length = text.length
  // A code point has one or two UTF-16 units, so the length often decides without counting code points.
  if (length > 2 * max || length < min) length = Math.ceil(length / 2)
  else if (length > max || length < 2 * min) length = codePoints(text)
  if (length < min) return refusedAnswer(`Enter at least ${min} character${min === 1 ? '' : 's'}.`)
  if (length > max) return refusedAnswer(`Enter at most ${max} character${max === 1 ? '' : 's'}.`)
  return accepted(text)
}

function textHandler(holds: (text: string) => boolean, message: string): AnswerHandler<string> {
  return {
    shape: 'text',
    check(question, value) {
      if (typeof value !== 'string') return refusedAnswer('The answer must be a string.')
      if (value.trim() === '') return SKIPPED
      return holds(value) ? checkLength(question, value) : refusedAnswer(message)
    },
    text: (_question, value) => value,
  }
}

export const plainText = textHandler(() => true, '')
export const email = textHandler(isEmailAddress, 'Enter an email address, such as name@example.com.')
export const url = textHandler(isWebAddress, 'Enter a URL that begins with https:// or http://.')
export const phone = textHandler(isPhoneNumber, 'Enter a phone number, such as +44 20 7946 0000.')
