import { accepted } from '../result.ts'
import { type AnswerHandler, refusedAnswer, SKIPPED } from './handler.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Whether a text is a date of the calendar written `YYYY-MM-DD`, from the year 0001 on. */
export function isRealDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined || year === 0) return false
  const days = (DAYS[month - 1] ?? 0) + (month === 2 && isLeapYear(year) ? 1 : 0)
  return day >= 1 && day <= days
}

/** Whether a text is a time of day written `HH:MM`, from 00:00 to 23:59. */
export const isRealTime = (text: string): boolean => TIME.test(text)

function calendarHandler(holds: (text: string) => boolean, message: string): AnswerHandler<string> {
  return {
    shape: 'text',
    check(question, value) {
      if (typeof value !== 'string') return refusedAnswer(message)
      if (value.trim() === '') return SKIPPED
      if (!holds(value)) return refusedAnswer(message)
      // Dates and times have a fixed width, largest part first, so they compare as text.
      if (typeof question.min === 'string' && value < question.min)
        return refusedAnswer(`Choose ${question.min} or later.`)
      if (typeof question.max === 'string' && value > question.max)
        return refusedAnswer(`Choose ${question.max} or earlier.`)
      return accepted(value)
    },
    text: (_question, value) => value,
  }
}

export const date = calendarHandler(isRealDate, 'Enter a valid date as YYYY-MM-DD.')
export const time = calendarHandler(isRealTime, 'Enter a time from 00:00 to 23:59 as HH:MM.')
