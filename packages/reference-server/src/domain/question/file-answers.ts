import type { UploadedFile } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { accepted } from '../result.ts'
import { type AnswerHandler, refusedAnswer, SKIPPED } from './handler.ts'
import { numericBounds } from './question.ts'

const plural = (count: number): string => `${count} file${count === 1 ? '' : 's'}`

/** Name and size are those of the upload; those in the answer are ignored. */
function fileHandler(most: number, tooMany: string): AnswerHandler<UploadedFile[]> {
  return {
    shape: 'files',
    check(question, value, { draft, file }) {
      // A single file may also be the object that its upload returned.
      const items: unknown = isObject(value) ? [value] : value
      if (!Array.isArray(items))
        return refusedAnswer('Answer with a list of uploaded files: [{"id", "name", "size"}].')
      if (items.length === 0) return SKIPPED
      if (items.length > most) return refusedAnswer(tooMany)
      const { min, max } = numericBounds(question)
      if (items.length > max) return refusedAnswer(`Add at most ${plural(max)}.`)
      const files = new Map<string, UploadedFile>()
      for (const item of items as readonly unknown[]) {
        const uploaded = isObject(item) ? file(question.id, item) : undefined
        if (uploaded === undefined) {
          return refusedAnswer(
            'Upload the file again: this question has no such upload, or it expired after an hour.',
          )
        }
        if (files.has(uploaded.id)) return refusedAnswer('Add each file once.')
        files.set(uploaded.id, uploaded)
      }
      if (files.size < min && !draft) return refusedAnswer(`Add at least ${plural(min)}.`)
      return accepted([...files.values()].map(({ id, name, size }) => ({ id, name, size })))
    },
    text: (_question, value, style) =>
      style === 'default'
        ? value.map(({ name }) => name).join(', ')
        : value.map(({ name, size }) => `${name} (${size} bytes)`).join('\n'),
  }
}

export const file = fileHandler(Number.POSITIVE_INFINITY, '')
export const signature = fileHandler(1, 'Add one signature.')
