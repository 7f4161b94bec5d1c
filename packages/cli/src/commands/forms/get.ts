import { FORM_FIELDS, formFields } from '../../columns/forms.ts'
import { defineCommand } from '../../command.ts'
import { FORM } from '../../pickers/arguments.ts'

/** `formwire forms get FORM` */
export const formsGet = defineCommand({
  path: ['forms', 'get'],
  summary: 'show one form',
  description: 'When piped, prints a line for each field: name, tab, value.',
  arguments: [FORM],
  examples: [
    ['formwire forms get guestvoice01', 'show status, public link, counts and dates'],
    ['formwire forms get guestvoice01 --json | jq -r .url', 'print its public link'],
  ],
  exits: [1, 3, 4, 5, 6],
  fields: FORM_FIELDS,
  task: ([form]) => `show form ${form}`,
  async run(context, [form]) {
    const client = await context.client()
    await context.output.item(await client.forms.get(form), formFields(context.now))
  },
})
