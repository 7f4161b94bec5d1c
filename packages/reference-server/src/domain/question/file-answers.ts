import type { UploadedFile } from '@formwire/contract'
import { type AnswerHandler, accepted, isObject, refused, SKIPPED } from './handler.ts'
import { numericBounds } from './question.ts'

const plural = (count: number): string => `${count} file${count === 1 ? '' : 's'}`

/** Name and size come from the upload itself: what the answer says of them is not believed. */
function fileHandler(most: number, tooMany: string): AnswerHandler<UploadedFile[]> {
  return {
    check(question, value, { draft, file }) {
      if (!Array.isArray(value))
        return refused('Answer with a list of uploaded files: [{"id", "name", "size"}].')
      if (value.length === 0) return SKIPPED
      if (value.length > most) return refused(tooMany)
      const { min, max } = numericBounds(question)
      if (value.length > max) return refused(`Add at most ${plural(max)}.`)
      const files = new Map<string, UploadedFile>()
      for (const item of value as readonly unknown[]) {
        const uploaded = isObject(item) ? file(question.id, item) : undefined
        if (uploaded === undefined) {
          return refused(
            'Upload the file again: there is no such upload for this question, or its hour is over.',
          )
        }
        if (files.has(uploaded.id)) return refused('Name each file once.')
        files.set(uploaded.id, uploaded)
      }
      if (files.size < min && !draft) return refused(`Add at least ${plural(min)}.`)
      return accepted([...files.values()].map(({ id, name, size }) => ({ id, name, size })))
    },
    text: (_question, value) => value.map((file) => file.name).join(', '),
  }
}

export const file = fileHandler(Number.POSITIVE_INFINITY, '')
export const signature = fileHandler(1, 'Give one signature.')
