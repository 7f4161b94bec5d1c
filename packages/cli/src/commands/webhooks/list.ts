import { defineCommand } from '../../command.ts'
import { countLine } from '../collect.ts'
import { required } from '../parse.ts'
import { webhookColumns } from './columns.ts'

/** `formwire webhooks list FORM` */
export const webhooksList = defineCommand({
  description:
    'Secrets are shown once, when an endpoint is created, and never here. On a pipe: id, url, state, time of creation.',
  arguments: [{ name: '<form>', description: 'id of the form' }],
  examples: [['formwire webhooks list 8hTq2LmVx4Rb', 'the endpoints of the form, at most 10']],
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
