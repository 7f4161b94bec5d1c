import type { Form } from '@formwire/contract'
import { formFields } from '../../columns/forms.ts'
import type { Context } from '../../context.ts'

/** Reports a changed form: a note on stderr, and the form itself on a pipe and with `--json`. */
export async function showChangedForm(context: Context, form: Form, note: string): Promise<void> {
  const { output, runtime } = context
  if (output.json || !output.isTerminal) await output.item(form, formFields(runtime.clock.now()))
  output.note(note)
}

/** Closes or reopens a form and reports it; `effect` is what that means. A form that has the status already is not changed. */
export async function changeStatus(
  context: Context,
  id: string,
  [change, status]: readonly ['close', 'closed'] | readonly ['reopen', 'published'],
  effect: string,
): Promise<void> {
  const { forms } = await context.client()
  const before = await forms.get(id)
  if (before.status === status) {
    const note = `"${before.title}" (${before.id}) is already ${status}; nothing was changed`
    return await showChangedForm(context, before, note)
  }
  const form = await forms[change](id)
  const done = change === 'close' ? 'closed' : 'reopened'
  await showChangedForm(context, form, `${done} "${form.title}" (${form.id}); ${effect}`)
}
