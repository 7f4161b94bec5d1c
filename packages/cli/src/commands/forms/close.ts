import type { Form } from '@formwire/contract'
import type { Tone } from '@formwire/internal/status-tone'
import { FORM_FIELDS, formFields } from '../../columns/forms.ts'
import { type Command, defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { FORM } from '../../pickers/arguments.ts'

/** `formwire forms close FORM` */
export const formsClose = changeOf(
  'close',
  'closed',
  'close a published form',
  'The public link stops accepting responses immediately.',
  ['closed', 'close the form', 'its public link no longer accepts responses'],
)

/** `formwire forms reopen FORM` */
export const formsReopen = changeOf(
  'reopen',
  'published',
  'reopen a closed form',
  'The public link accepts responses again, within its dates and limit.',
  ['reopened', 'publish the form again', 'its public link accepts responses again'],
)

/** A form that has the status already is not changed. */
function changeOf(
  change: 'close' | 'reopen',
  status: 'closed' | 'published',
  summary: string,
  description: string,
  [done, example, effect]: readonly [done: string, example: string, effect: string],
): Command {
  return defineCommand({
    path: ['forms', change],
    summary,
    description: `${description} Requires a write key. When piped, prints the form as forms get does.`,
    arguments: [FORM],
    examples: [[`formwire forms ${change} guestvoice01`, example]],
    exits: [1, 3, 4, 5, 6],
    fields: FORM_FIELDS,
    task: ([form]) => `${change} form ${form}`,
    async run(context, [id]) {
      const { forms } = await context.client()
      const before = await forms.get(id)
      if (before.status === status) {
        const note = `"${before.title}" (${before.id}) is already ${status}; nothing was changed`
        return await showChangedForm(context, before, note, 'calm')
      }
      const form = await forms[change](id)
      await showChangedForm(context, form, `${done} "${form.title}" (${form.id}); ${effect}`)
    },
  })
}

/** Reports a form that was changed, or that is already as asked: a note on stderr, and the form itself on a pipe and with `--json`. */
export async function showChangedForm(
  context: Context,
  form: Form,
  note: string,
  tone: Tone = 'good',
): Promise<void> {
  const { output } = context
  if (output.json || !output.isTerminal) await output.item(form, formFields(context.now))
  output.note(note, tone)
}
