import { FORM_FIELDS } from '../../columns/forms.ts'
import { defineCommand } from '../../command.ts'
import { required } from '../../input/parse.ts'
import { changeStatus } from './changed.ts'

/** `formwire forms reopen FORM` */
export const formsReopen = defineCommand({
  path: ['forms', 'reopen'],
  summary: 'reopen a closed form',
  description:
    'The public link accepts responses again, within its dates and limit. Requires a write key. When piped, prints the form as forms get does.',
  arguments: [{ name: '<form>', description: 'id of the form' }],
  examples: [['formwire forms reopen 8hTq2LmVx4Rb', 'publish the form again']],
  exits: [1, 3, 4, 5, 6],
  fields: FORM_FIELDS,
  task: ([form]) => `reopen form ${form}`,
  run: (context, [id]) =>
    changeStatus(context, required(id), ['reopen', 'published'], 'its public link accepts responses again'),
})
