import { defineCommand } from '../../command.ts'
import { required } from '../parse.ts'
import { ADMIN_TOKEN, type AdminOptions } from './admin-option.ts'
import { deliveryFields } from './columns.ts'

/** `formwire deliveries show ID` */
export const deliveriesShow = defineCommand<AdminOptions>({
  description: 'One entry with its payload and every attempt: when, what came back, how long it took.',
  arguments: [{ name: '<id>', description: 'delivery id, the value of X-Service-Delivery' }],
  options: [ADMIN_TOKEN],
  examples: [['formwire deliveries show DELIVERY --json | jq .attempts', 'its attempts as JSON']],
  exits: [1, 3, 4, 6],
  async run(context, [id], options) {
    const entry = await (await context.admin(options.adminToken)).delivery(required(id))
    await context.output.item(entry, deliveryFields(entry, context.runtime.clock.now()))
  },
})
