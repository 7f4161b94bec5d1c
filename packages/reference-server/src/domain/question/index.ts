/** Questions and the answers to them: pure, nothing of HTTP or storage. */
export { type FileLookup, filesAsDescribed } from './handler.ts'
export { fileIdsOfKept, keepAnswers } from './keep-answers.ts'
export type { Question, SubmittedAnswer } from './question.ts'
export { numericBounds } from './question.ts'
export { readQuestions } from './read-questions.ts'
export { isEmailAddress } from './text-answers.ts'
export {
  type AnswerError,
  answerText,
  readAnswers,
  type ValidatedAnswers,
  validateAnswers,
} from './validate-answers.ts'
