import type { Form } from '@formwire/contract'
import type { Context } from '../../context.ts'
import { formFields } from './columns.ts'

/** Tells what a change did: a sentence for people, the changed form for pipes and `--json`. */
export async function showChangedForm(context: Context, form: Form, sentence: string): Promise<void> {
  const { output, runtime } = context
  if (output.json || !output.isTerminal) await output.item(form, formFields(runtime.clock.now()))
  output.note(sentence)
}
