import { defineCommand } from '../../command.ts'
import { required } from '../parse.ts'
import { ADMIN_TOKEN, type AdminOptions } from './admin-option.ts'
import { showQueued } from './queued.ts'

/** `formwire deliveries replay ID` */
export const deliveriesReplay = defineCommand<AdminOptions>({
  description:
    'Queues a copy, which appears in the log as a new entry with a new id. Refused while its endpoint is paused.',
  arguments: [{ name: '<id>', description: 'delivery id, the value of X-Service-Delivery' }],
  options: [ADMIN_TOKEN],
  examples: [['formwire deliveries replay DELIVERY', 'sends it again']],
  exits: [1, 3, 4, 6],
  async run(context, [id], options) {
    const entry = await (await context.admin(options.adminToken)).replay(required(id))
    await showQueued(context, entry, `queued a copy of ${id} as ${entry.id}`)
  },
})
