import { deliveryColumns } from '../../columns/deliveries.ts'
import { defineCommand } from '../../command.ts'
import { ADMIN_TOKEN, type AdminTokenOption } from '../../input/admin-token.ts'
import { idArgument, required } from '../../input/parse.ts'
import { countLine } from '../../lists/collect.ts'

/** `formwire deliveries list FORM WEBHOOK` */
export const deliveriesList = defineCommand<AdminTokenOption>({
  description:
    'Lists the latest 50 deliveries of an endpoint on a reference server, newest first. When piped, prints ' +
    'tab-separated: id, event, response id, status, HTTP status, attempts, next attempt, creation time, note.',
  arguments: [
    { name: '<form>', description: 'id of the form' },
    { name: '<webhook>', description: 'id of the endpoint' },
  ],
  options: [ADMIN_TOKEN],
  examples: [
    ['formwire deliveries list 8hTq2LmVx4Rb 7', 'list what was sent to endpoint 7 and how it responded'],
  ],
  exits: [1, 3, 4, 6],
  async run(context, [form, webhook], options) {
    const webhookId = idArgument('webhook endpoint', webhook)
    const deliveries = await (await context.control(options.adminToken)).deliveries(required(form), webhookId)
    await context.output.list(deliveries, deliveryColumns(context.runtime.clock.now()))
    await countLine(context, { items: deliveries, total: deliveries.length }, ['delivery', 'deliveries'])
  },
})
