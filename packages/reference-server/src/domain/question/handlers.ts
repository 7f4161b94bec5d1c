import type { AnswerValues, KnownQuestionType } from '@formwire/contract'
import { address } from './address-answers.ts'
import { anyChoices, oneChoice, ranking } from './choice-answers.ts'
import { date, time } from './date-time-answers.ts'
import { file, signature } from './file-answers.ts'
import { gridMultiple, gridSingle } from './grid-answers.ts'
import type { AnswerHandler } from './handler.ts'
import { anyNumber, wholeNumber } from './number-answers.ts'
import { email, phone, plainText, url } from './text-answers.ts'

/** The handler of each question type (RESP-07). */
export const ANSWER_HANDLERS: { readonly [Type in KnownQuestionType]: AnswerHandler<AnswerValues[Type]> } = {
  short_text: plainText,
  long_text: plainText,
  email,
  url,
  phone,
  date,
  time,
  number: anyNumber,
  scale: wholeNumber,
  rating: wholeNumber,
  nps: wholeNumber,
  slider: anyNumber,
  single_choice: oneChoice,
  multiple_choice: anyChoices,
  dropdown: oneChoice,
  yes_no: oneChoice,
  ranking,
  grid_single: gridSingle,
  grid_multiple: gridMultiple,
  file,
  signature,
  address,
}
