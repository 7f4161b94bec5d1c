import { DELIVERY_FIELDS, deliveryColumns } from '../../columns/deliveries.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import type { Delivery } from '../../control/delivery.ts'
import { ADMIN_TOKEN } from '../../input/admin-token.ts'
import { idArgument } from '../../input/parse.ts'
import { tsvLine } from '../../output/table.ts'
import { DELIVERY, ENDPOINT } from '../../pickers/arguments.ts'

/** `formwire deliveries replay ID` */
export const deliveriesReplay = defineCommand({
  path: ['deliveries', 'replay'],
  summary: 'replay a delivery',
  description: 'Queues a copy of the delivery with a new id. Fails while the endpoint is paused.',
  arguments: [DELIVERY],
  options: [ADMIN_TOKEN],
  examples: [['formwire deliveries replay DELIVERY', 'send a delivery again']],
  exits: [1, 3, 4, 6],
  fields: DELIVERY_FIELDS,
  task: ([id]) => `replay delivery ${id}`,
  async run(context, [id], options) {
    const delivery = await (await context.control(options.adminToken)).replay(id)
    await showQueued(context, delivery, `queued a copy of ${id} as ${delivery.id}`)
  },
})

/** `formwire deliveries test FORM WEBHOOK` */
export const deliveriesTest = defineCommand({
  path: ['deliveries', 'test'],
  summary: 'send a test event to an endpoint',
  description:
    'Sends a test.ping event: one example answer, response id 0. Fails while the endpoint is paused.',
  arguments: ENDPOINT,
  options: [ADMIN_TOKEN],
  examples: [['formwire deliveries test guestvoice01 7', 'send a test event to endpoint 7']],
  exits: [1, 3, 4, 6],
  fields: DELIVERY_FIELDS,
  task: ([form, id]) => `send a test event to webhook endpoint ${id} of form ${form}`,
  async run(context, [form, webhook], options) {
    const webhookId = idArgument('webhook endpoint', webhook)
    const delivery = await (await context.control(options.adminToken)).test(form, webhookId)
    await showQueued(context, delivery, `queued test event ${delivery.id} for endpoint ${webhookId}`)
  },
})

/** Reports a delivery that was just queued: a note on a terminal, its log line on a pipe, the delivery with `--json`. */
async function showQueued(context: Context, delivery: Delivery, note: string): Promise<void> {
  const { output } = context
  if (output.json) await output.document(delivery)
  else if (!output.isTerminal) await output.line(tsvLine(delivery, deliveryColumns(context.now), output.pens))
  output.note(note, 'good')
}
