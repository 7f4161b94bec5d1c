import { defineCommand } from '../../command.ts'
import { idArgument, required } from '../parse.ts'
import { ADMIN_TOKEN, type AdminOptions } from './admin-option.ts'
import { showQueued } from './queued.ts'

/** `formwire deliveries test FORM WEBHOOK` */
export const deliveriesTest = defineCommand<AdminOptions>({
  description: 'Sends test.ping: one example answer, response id 0. Refused while the endpoint is paused.',
  arguments: [
    { name: '<form>', description: 'id of the form' },
    { name: '<webhook>', description: 'id of the endpoint' },
  ],
  options: [ADMIN_TOKEN],
  examples: [['formwire deliveries test 8hTq2LmVx4Rb 7', 'sends a test event to endpoint 7']],
  exits: [1, 3, 4, 6],
  async run(context, [form, webhook], options) {
    const webhookId = idArgument('webhook endpoint', webhook)
    const entry = await (await context.admin(options.adminToken)).test(required(form), webhookId)
    await showQueued(context, entry, `queued test event ${entry.id} for endpoint ${webhookId}`)
  },
})
