/** Questions and the answers to them: pure, nothing of HTTP or storage. */
export { type CheckContext, type FileLookup, filesAsDescribed } from './handler.ts'
export { fileIdsOfKept, keepAnswers } from './keep-answers.ts'
export type { Choice, Question, ShowIf, SubmittedAnswer } from './question.ts'
export { numericBounds } from './question.ts'
export { type ReadQuestions, readQuestions } from './read-questions.ts'
export type { Score } from './score.ts'
export { isEmailAddress } from './text-answers.ts'
export {
  type AnswerError,
  answerText,
  checkShown,
  fileIdsOf,
  type ReadAnswers,
  readAnswers,
  type ValidatedAnswers,
  validateAnswers,
} from './validate-answers.ts'
