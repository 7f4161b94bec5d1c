import { DELIVERY_FIELDS } from '../../columns/deliveries.ts'
import { defineCommand } from '../../command.ts'
import { ADMIN_TOKEN, type AdminTokenOption } from '../../input/admin-token.ts'
import { required } from '../../input/parse.ts'
import { showQueued } from './queued.ts'

/** `formwire deliveries replay ID` */
export const deliveriesReplay = defineCommand<AdminTokenOption>({
  path: ['deliveries', 'replay'],
  summary: 'replay a delivery',
  description: 'Queues a copy of the delivery with a new id. Fails while the endpoint is paused.',
  arguments: [{ name: '<id>', description: 'delivery id, the value of X-Service-Delivery' }],
  options: [ADMIN_TOKEN],
  examples: [['formwire deliveries replay DELIVERY', 'send a delivery again']],
  exits: [1, 3, 4, 6],
  fields: DELIVERY_FIELDS,
  task: ([id]) => `replay delivery ${id}`,
  async run(context, [id], options) {
    const delivery = await (await context.control(options.adminToken)).replay(required(id))
    await showQueued(context, delivery, `queued a copy of ${id} as ${delivery.id}`)
  },
})
