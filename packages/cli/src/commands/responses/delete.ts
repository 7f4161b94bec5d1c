import { defineCommand } from '../../command.ts'
import { confirmDeletion } from '../../input/confirm.ts'
import { idArgument, required } from '../../input/parse.ts'

/** `formwire responses delete FORM ID` */
export const responsesDelete = defineCommand({
  description:
    'Also lowers the response count of the form. This cannot be undone. Prompts for confirmation; without a terminal, ' +
    'pass --yes. Requires a write key.',
  arguments: [
    { name: '<form>', description: 'id of the form' },
    { name: '<id>', description: 'id of the response' },
  ],
  examples: [['formwire responses delete 8hTq2LmVx4Rb 42 --yes', 'delete response 42 without confirmation']],
  exits: [1, 3, 4, 5, 6],
  async run(context, [formArgument, idText]) {
    const formId = required(formArgument)
    const id = idArgument('response', idText)
    await confirmDeletion(context, async () => {
      const client = await context.client()
      const [form, response] = [await client.forms.get(formId), await client.responses.get(formId, id)]
      const when = response.submitted_at === null ? 'a saved draft' : `submitted ${response.submitted_at}`
      const who = response.email === null ? '' : ` by ${response.email}`
      return `response ${id} of "${form.title}" (${when}${who}) with its answers and files`
    })
    const deleted = await (await context.client()).responses.delete(formId, id)
    if (context.output.json) await context.output.document(deleted)
    context.output.note(`deleted response ${id} of form ${formId}`)
  },
})
