import type { KnownFormStatus } from '@formwire/contract'
import type { FormRecord } from './form.ts'

/** What moves a form from one state to another. */
export type FormAction = 'publish' | 'close' | 'reopen' | 'archive' | 'unarchive' | 'trash' | 'restore'

/** The states from which each action goes; whatever is not here is refused. */
const FROM: Readonly<Record<FormAction, readonly KnownFormStatus[]>> = {
  // Publishing again takes over the title and questions of the builder, and reopens what was closed.
  publish: ['draft', 'published', 'closed'],
  close: ['published', 'closed'],
  reopen: ['published', 'closed'],
  archive: ['draft', 'published', 'closed'],
  unarchive: ['archived'],
  trash: ['draft', 'published', 'closed', 'archived'],
  restore: ['draft', 'published', 'closed', 'archived'],
}

export type Transition =
  | { readonly ok: true; readonly form: FormRecord }
  /** `message` is a sentence for the person who tried. */
  | { readonly ok: false; readonly message: string }

/** One step of the state machine. Moves `updatedAt`; the caller gives the new record its revision. */
export function transition(form: FormRecord, action: FormAction, now: number): Transition {
  const trashed = form.trashedAt !== null
  if (trashed !== (action === 'restore')) {
    return refuse(trashed ? `Restore the form before you ${action} it.` : 'The form is not in the trash.')
  }
  if (!FROM[action].includes(form.status))
    return refuse(`A form that is ${form.status} cannot be moved by ${action}.`)
  return { ok: true, form: { ...form, ...changes(form, action, now), updatedAt: now } }
}

function changes(form: FormRecord, action: FormAction, now: number): Partial<FormRecord> {
  switch (action) {
    case 'publish':
      return {
        status: 'published',
        publication: { title: form.title, questions: form.questions, publishedAt: now },
      }
    case 'close':
      return { status: 'closed' }
    case 'reopen':
      return { status: 'published' }
    case 'archive':
      return { status: 'archived', statusBeforeArchive: form.status === 'archived' ? null : form.status }
    case 'unarchive':
      return { status: form.statusBeforeArchive ?? 'draft', statusBeforeArchive: null }
    case 'trash':
      return { trashedAt: now }
    case 'restore':
      return { trashedAt: null }
  }
}

const refuse = (message: string): Transition => ({ ok: false, message })
