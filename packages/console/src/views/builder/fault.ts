import type { EditedQuestion } from './model.ts'

/** What the server refuses, and the path of the part at fault, such as `questions[2].options`. */
export interface Refusal {
  readonly message: string
  readonly field: string | undefined
}

/** What is wrong with the edits, in the words of the builder. */
export interface Fault {
  /** Position of the question, from 0. `undefined` if the fault is in the form itself. */
  readonly at: number | undefined
  /** The part of the question, such as `title` or `options`. */
  readonly part: string | undefined
  readonly message: string
}

/** Returns what the server refuses as a person at the cards reads it: by the names of their fields, without paths and ids. */
export function faultOf({ field = '', message }: Refusal, questions: readonly EditedQuestion[]): Fault {
  const [, index, part = ''] = /^questions\[(\d+)\]\.?(\w*)/.exec(field) ?? []
  const at = Number(index)
  if (!questions[at]) return { at: undefined, part: undefined, message }
  const path = `${field}: `
  const reason = message.startsWith(path) ? message.slice(path.length) : message
  return { at, part, message: textOf(part, reason, at, questions) }
}

function textOf(part: string, reason: string, at: number, questions: readonly EditedQuestion[]): string {
  const question = questions[at]
  switch (part) {
    case 'title':
      return 'Enter a title.'
    case 'options':
    case 'rows':
    case 'columns':
      if (!question?.[part]?.length) return `Enter at least one ${part.slice(0, -1)}.`
      if (question[part].some(({ label }) => String(label).trim() === ''))
        return `Enter a text for each ${part.slice(0, -1)}, or remove it.`
      return `The ${part} ${reason}`
    case 'min':
      return `“From” ${reason.replace('above max', 'above “To”')}`
    case 'max':
      return `“To” ${reason}`
    case 'show_if': {
      const { question_id: id } = question?.show_if ?? {}
      const controlling = questions.find((one) => one.id === id)
      if (!controlling) return 'Choose an earlier question, or always show this one.'
      return `Enter the answer to “${controlling.title}” that shows this question.`
    }
  }
  return /^[A-Z]/.test(reason) ? reason : `This question ${reason}`
}
