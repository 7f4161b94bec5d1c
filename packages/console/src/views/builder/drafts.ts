import type { BuilderForm } from '@formwire/contract/control'
import type { EditedForm } from './model.ts'

/** Edits that are not saved, by form id, so that looking at another view loses none. In memory only. */
const drafts = new Map<string, EditedForm>()

/** Returns the unsaved edits of a form, or what is saved. */
export const draftOf = (form: BuilderForm): EditedForm => drafts.get(form.id) ?? contentOf(form)

/** Returns what the builder edits of a form. */
export function contentOf({ title, intro, language, logo, accent, questions }: EditedForm): EditedForm {
  return { title, intro, language, logo, accent, questions }
}

export const keepDraft = (id: string, draft: EditedForm): void => void drafts.set(id, draft)
export const dropDraft = (id: string, of: EditedForm) => drafts.get(id) === of && drafts.delete(id)

/** Whether two versions of a form differ. */
export const differs = (a: EditedForm, b: EditedForm): boolean =>
  JSON.stringify(contentOf(a)) !== JSON.stringify(contentOf(b))

/** Whether the builder has edits of a form that are not saved. */
export const hasEdits = (form: BuilderForm): boolean => drafts.has(form.id) && differs(draftOf(form), form)
