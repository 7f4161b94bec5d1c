import { defineCommand } from '../../command.ts'
import { EXIT } from '../../exit.ts'
import { Failure } from '../../failure.ts'
import { confirmDeletion } from '../../input/ask.ts'
import { idArgument } from '../../input/parse.ts'
import { FORM } from '../../pickers/arguments.ts'
import { chooseEndpoint } from '../../pickers/choose.ts'

/** `formwire webhooks delete FORM ID` */
export const webhooksDelete = defineCommand({
  path: ['webhooks', 'delete'],
  summary: 'delete a webhook endpoint and its delivery log',
  description:
    'Pending deliveries are dropped. Prompts for confirmation; without a terminal, pass ' +
    '--yes. Requires a write key.',
  arguments: [FORM, { name: '<id>', description: 'id of the endpoint', choose: chooseEndpoint }],
  examples: [['formwire webhooks delete guestvoice01 7 --yes', 'delete endpoint 7 without confirmation']],
  asks: true,
  exits: [1, 3, 4, 5, 6],
  fields: ['id', 'deleted'],
  task: ([form, id]) => `delete webhook endpoint ${id} of form ${form}`,
  async run(context, [formId, idText]) {
    const id = idArgument('webhook endpoint', idText)
    await confirmDeletion(context, async () => {
      const client = await context.client()
      const form = await client.forms.get(formId)
      const endpoint = (await client.webhooks.list(formId)).data.find((candidate) => candidate.id === id)
      if (!endpoint) {
        throw new Failure(`webhook endpoint ${id} of form ${formId} not found`, {
          exitCode: EXIT.notFound,
          code: 'not_found',
          hint: `see formwire webhooks list ${formId}`,
        })
      }
      return `webhook endpoint ${id} (${endpoint.url}) of "${form.title}" with its delivery log`
    })
    const deleted = await (await context.client()).webhooks.delete(formId, id)
    if (context.output.json) await context.output.document(deleted)
    context.output.note(`deleted webhook endpoint ${id} of form ${formId}`, 'good')
  },
})
