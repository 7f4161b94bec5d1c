import type { UploadedFile } from '@formwire/contract'
import { type AnswerHandler, accepted, isObject, refused, SKIPPED } from './handler.ts'
import { numericBounds } from './question.ts'

const plural = (count: number): string => `${count} file${count === 1 ? '' : 's'}`

/** Name and size come from the upload itself: what the answer says of them is not believed. */
function fileHandler(most: number, tooMany: string): AnswerHandler<UploadedFile[]> {
  return {
    check(question, value, { draft, file }) {
      // One file may also be given as the object that its upload answered.
      const items: unknown = isObject(value) ? [value] : value
      if (!Array.isArray(items))
        return refused('Answer with a list of uploaded files: [{"id", "name", "size"}].')
      if (items.length === 0) return SKIPPED
      if (items.length > most) return refused(tooMany)
      const { min, max } = numericBounds(question)
      if (items.length > max) return refused(`Add at most ${plural(max)}.`)
      const files = new Map<string, UploadedFile>()
      for (const item of items as readonly unknown[]) {
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
