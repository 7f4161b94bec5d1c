import { RESPONSE_FIELDS, responseFields } from '../../columns/responses.ts'
import { defineCommand } from '../../command.ts'
import { idArgument } from '../../input/parse.ts'
import { FORM } from '../../pickers/arguments.ts'
import { chooseResponse } from '../../pickers/choose.ts'

/** `formwire responses get FORM ID` */
export const responsesGet = defineCommand({
  path: ['responses', 'get'],
  summary: 'show one response with its answers',
  description:
    'When piped, prints one line per field: name, tab, text. The name of an answer is answer.ID, with the id of its question. ' +
    'Further lines of an answer begin with a tab.',
  arguments: [FORM, { name: '<id>', description: 'id of the response', choose: chooseResponse }],
  examples: [
    ['formwire responses get guestvoice01 42', 'show response 42 with all its answers'],
    [
      'formwire responses get guestvoice01 42 --json=email,answer.nps',
      'print its email and one answer as JSON',
    ],
  ],
  exits: [1, 3, 4, 5, 6],
  fields: RESPONSE_FIELDS,
  task: ([form, id]) => `show response ${id} of form ${form}`,
  async run(context, [form, id]) {
    const responseId = idArgument('response', id)
    const response = await (await context.client()).responses.get(form, responseId)
    await context.output.item(response, responseFields(response, context.now))
  },
})
