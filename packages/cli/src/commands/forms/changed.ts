import type { Form } from '@formwire/contract'
import { formFields } from '../../columns/forms.ts'
import type { Context } from '../../context.ts'

/** Reports a changed form: a note on stderr, and the form itself on a pipe and with `--json`. */
export async function showChangedForm(context: Context, form: Form, note: string): Promise<void> {
  const { output, runtime } = context
  if (output.json || !output.isTerminal) await output.item(form, formFields(runtime.clock.now()))
  output.note(note)
}
