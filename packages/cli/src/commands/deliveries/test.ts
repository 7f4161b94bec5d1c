import { DELIVERY_FIELDS } from '../../columns/deliveries.ts'
import { defineCommand } from '../../command.ts'
import { ADMIN_TOKEN, type AdminTokenOption, ENDPOINT } from '../../input/admin-token.ts'
import { idArgument, required } from '../../input/parse.ts'
import { showQueued } from './queued.ts'

/** `formwire deliveries test FORM WEBHOOK` */
export const deliveriesTest = defineCommand<AdminTokenOption>({
  path: ['deliveries', 'test'],
  summary: 'send a test event to an endpoint',
  description:
    'Sends a test.ping event: one example answer, response id 0. Fails while the endpoint is paused.',
  arguments: ENDPOINT,
  options: [ADMIN_TOKEN],
  examples: [['formwire deliveries test 8hTq2LmVx4Rb 7', 'send a test event to endpoint 7']],
  exits: [1, 3, 4, 6],
  fields: DELIVERY_FIELDS,
  task: ([form, id]) => `send a test event to webhook endpoint ${id} of form ${form}`,
  async run(context, [form, webhook], options) {
    const webhookId = idArgument('webhook endpoint', webhook)
    const delivery = await (await context.control(options.adminToken)).test(required(form), webhookId)
    await showQueued(context, delivery, `queued test event ${delivery.id} for endpoint ${webhookId}`)
  },
})
