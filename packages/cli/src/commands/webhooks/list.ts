import { webhookColumns } from '../../columns/webhooks.ts'
import { defineCommand } from '../../command.ts'
import { required } from '../../input/parse.ts'
import { countLine } from '../../lists/collect.ts'

/** `formwire webhooks list FORM` */
export const webhooksList = defineCommand({
  description:
    'A secret is shown only once, when its endpoint is created. When piped, prints tab-separated: id, URL, state, creation time.',
  arguments: [{ name: '<form>', description: 'id of the form' }],
  examples: [['formwire webhooks list 8hTq2LmVx4Rb', 'list the endpoints of the form, at most 10']],
  exits: [1, 3, 4, 5, 6],
  async run(context, [form]) {
    const page = await (await context.client()).webhooks.list(required(form))
    await context.output.list(page.data, webhookColumns(context.runtime.clock.now()))
    await countLine(context, { items: page.data, total: page.data.length }, [
      'webhook endpoint',
      'webhook endpoints',
    ])
  },
})
