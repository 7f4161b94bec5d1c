import { FORM_FIELDS } from '../../columns/forms.ts'
import { defineCommand } from '../../command.ts'
import { required } from '../../input/parse.ts'
import { changeStatus } from './changed.ts'

/** `formwire forms close FORM` */
export const formsClose = defineCommand({
  path: ['forms', 'close'],
  summary: 'close a published form',
  description:
    'The public link stops accepting responses immediately. Requires a write key. When piped, prints the form as forms get does.',
  arguments: [{ name: '<form>', description: 'id of the form' }],
  examples: [['formwire forms close 8hTq2LmVx4Rb', 'close the form']],
  exits: [1, 3, 4, 5, 6],
  fields: FORM_FIELDS,
  task: ([form]) => `close form ${form}`,
  run: (context, [id]) =>
    changeStatus(context, required(id), ['close', 'closed'], 'its public link no longer accepts responses'),
})
