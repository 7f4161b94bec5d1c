import type { components } from './generated/openapi.ts'

type Answer = components['schemas']['Answer']

/** Whether an answer has this type. Narrows its value. */
export function isAnswerOf<Type extends string>(
  answer: Answer,
  type: Type,
): answer is Extract<Answer, { type: Type }> {
  return answer.type === type
}
