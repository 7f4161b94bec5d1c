import { FORM_FIELDS } from '../../columns/forms.ts'
import { defineCommand } from '../../command.ts'
import { usage } from '../../failure.ts'
import { FORM } from '../../pickers/arguments.ts'
import { showChangedForm } from './close.ts'

/** `formwire forms rename FORM TITLE` */
export const formsRename = defineCommand({
  path: ['forms', 'rename'],
  summary: 'change the dashboard title of a form',
  description:
    'Respondents still see the title that was last published in the builder. A title has 1 to ' +
    '200 characters. Requires a write key. When piped, prints the form as forms get does.',
  arguments: [FORM, { name: '<title>', description: 'the new title' }],
  examples: [['formwire forms rename guestvoice01 "Customer survey 2027"', 'change the title']],
  exits: [1, 3, 4, 5, 6],
  fields: FORM_FIELDS,
  task: ([form]) => `rename form ${form}`,
  async run(context, [id, title]) {
    if (title === '') throw usage('the title must not be empty', 'a title has 1 to 200 characters')
    const form = await (await context.client()).forms.rename(id, title)
    await showChangedForm(context, form, `renamed ${form.id} to "${form.title}"`)
  },
})
