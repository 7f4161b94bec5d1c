import { defineCommand } from '../../command.ts'
import { required } from '../parse.ts'
import { showChangedForm } from './changed.ts'

/** `formwire forms rename FORM TITLE` */
export const formsRename = defineCommand({
  description:
    'Renames it in the dashboard only: respondents see the title last published in the builder. 1 to 200 characters. ' +
    'Needs a write key.',
  arguments: [
    { name: '<form>', description: 'id of the form' },
    { name: '<title>', description: 'the new title' },
  ],
  examples: [['formwire forms rename 8hTq2LmVx4Rb "Customer survey 2027"', 'changes the title']],
  exits: [1, 3, 4, 5, 6],
  async run(context, [id, title]) {
    const form = await (await context.client()).forms.rename(required(id), required(title))
    await showChangedForm(context, form, `renamed ${form.id} to "${form.title}"`)
  },
})
