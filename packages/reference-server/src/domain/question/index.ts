/** Questions and answers, independent of HTTP and storage. */
export { type FileLookup, filesAsDescribed } from './handler.ts'
export type { Choice, Question, ShowIf, SubmittedAnswer } from './question.ts'
export { numericBounds } from './question.ts'
export { readQuestions } from './read-questions.ts'
export { isEmailAddress } from './text-answers.ts'
export {
  type AnswerRefusal,
  answerText,
  fileIdsOfKept,
  keepAnswers,
  readAnswers,
  type ValidAnswers,
  type ValidatedAnswers,
  validateAnswers,
} from './validate-answers.ts'
