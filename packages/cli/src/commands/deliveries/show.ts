import { DELIVERY_FIELDS, deliveryFields } from '../../columns/deliveries.ts'
import { defineCommand } from '../../command.ts'
import { Endpoints } from '../../control/endpoints.ts'
import { ADMIN_TOKEN } from '../../input/admin-token.ts'
import { DELIVERY } from '../../pickers/arguments.ts'

/** `formwire deliveries show ID` */
export const deliveriesShow = defineCommand({
  path: ['deliveries', 'show'],
  summary: 'show one delivery with every attempt',
  description: 'Shows a delivery with its payload and every attempt: start, HTTP status or error, duration.',
  arguments: [DELIVERY],
  options: [ADMIN_TOKEN],
  examples: [['formwire deliveries show DELIVERY --json | jq .attempts', 'print its attempts as JSON']],
  exits: [1, 3, 4, 6],
  fields: [...DELIVERY_FIELDS, 'raw_body'],
  task: ([id]) => `show delivery ${id}`,
  async run(context, [id], options) {
    const control = await context.control(options.adminToken)
    const delivery = await control.delivery(id)
    const endpoints = new Endpoints(control)
    if (!context.output.json) await endpoints.read(delivery)
    await context.output.item(delivery, deliveryFields(delivery, context.now, endpoints))
  },
})
