import { defineCommand } from '../../command.ts'
import { countLine } from '../collect.ts'
import { idArgument, required } from '../parse.ts'
import { ADMIN_TOKEN, type AdminOptions } from './admin-option.ts'
import { deliveryColumns } from './columns.ts'

/** `formwire deliveries list FORM WEBHOOK` */
export const deliveriesList = defineCommand<AdminOptions>({
  description:
    "A reference server's log of one endpoint: the latest 50 deliveries, newest first. On a pipe: id, event, response " +
    'id, status, HTTP status, attempts, next attempt, time of creation, note.',
  arguments: [
    { name: '<form>', description: 'id of the form' },
    { name: '<webhook>', description: 'id of the endpoint' },
  ],
  options: [ADMIN_TOKEN],
  examples: [['formwire deliveries list 8hTq2LmVx4Rb 7', 'what was sent to endpoint 7, and what came back']],
  exits: [1, 3, 4, 6],
  async run(context, [form, webhook], options) {
    const webhookId = idArgument('webhook endpoint', webhook)
    const entries = await (await context.admin(options.adminToken)).deliveries(required(form), webhookId)
    await context.output.list(entries, deliveryColumns(context.runtime.clock.now()))
    await countLine(context, { items: entries, total: entries.length }, ['delivery', 'deliveries'])
  },
})
