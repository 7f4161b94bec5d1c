import type { BuilderForm } from '@formwire/contract/control'
import type { EditedForm } from './model.ts'

/** A form being edited. */
export interface Draft {
  /** The form that the edits were made to. */
  readonly base: BuilderForm
  readonly edited: EditedForm
}

/** Edits that are not saved, by form id, so that looking at another view loses none. In memory only. */
const drafts = new Map<string, Draft>()

/** Returns the unsaved edits of a form, or what is saved. */
export const draftOf = (form: BuilderForm): Draft =>
  drafts.get(form.id) ?? { base: form, edited: contentOf(form) }

/** Returns what the builder edits of a form. */
export const contentOf = ({ title, language, questions }: EditedForm): EditedForm => ({
  title,
  language,
  questions,
})

/** Keeps the edits of a form, unless there are none. */
export function keepDraft(draft: Draft): void {
  if (isEdited(draft)) drafts.set(draft.base.id, draft)
  else drafts.delete(draft.base.id)
}

/** Whether two values are the same JSON. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export const isEdited = ({ base, edited }: Draft): boolean => !same(contentOf(base), contentOf(edited))

/** Whether the builder has edits of a form that are not saved. */
export const hasEdits = (form: BuilderForm): boolean => isEdited(draftOf(form))

/** Returns the parts of a form that were edited. */
export const changesOf = (base: EditedForm, edited: EditedForm): Partial<EditedForm> =>
  Object.fromEntries(
    Object.entries(contentOf(edited)).filter(([name, value]) => !same(value, base[name as keyof EditedForm])),
  )
