import { defineCommand } from '../../command.ts'
import { required } from '../parse.ts'
import { showChangedForm } from './changed.ts'

/** `formwire forms reopen FORM` */
export const formsReopen = defineCommand({
  description: 'Its public link takes responses again, within its dates and limit. Needs a write key.',
  arguments: [{ name: '<form>', description: 'id of the form' }],
  examples: [['formwire forms reopen 8hTq2LmVx4Rb', 'sets the form to published again']],
  exits: [1, 3, 4, 5, 6],
  async run(context, [id]) {
    const form = await (await context.client()).forms.reopen(required(id))
    await showChangedForm(
      context,
      form,
      `reopened "${form.title}" (${form.id}); its public link takes responses again`,
    )
  },
})
