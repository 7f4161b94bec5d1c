import { WEBHOOK_FIELDS, webhookFields } from '../../columns/webhooks.ts'
import { type Command, defineCommand } from '../../command.ts'
import { ADMIN_TOKEN } from '../../input/admin-token.ts'
import { idArgument } from '../../input/parse.ts'
import { ENDPOINT } from '../../pickers/arguments.ts'

/** `formwire deliveries pause FORM WEBHOOK` */
export const deliveriesPause = changeOf(
  'pause',
  'pause an endpoint',
  'New responses are not sent, and pending deliveries fail. Deliveries that failed can be replayed once the endpoint is resumed.',
)

/** `formwire deliveries resume FORM WEBHOOK` */
export const deliveriesResume = changeOf(
  'resume',
  'resume a paused endpoint',
  'New responses are sent again. Those submitted while the endpoint was paused are not.',
)

function changeOf(change: 'pause' | 'resume', summary: string, description: string): Command {
  return defineCommand({
    path: ['deliveries', change],
    summary,
    description,
    arguments: ENDPOINT,
    options: [ADMIN_TOKEN],
    examples: [[`formwire deliveries ${change} guestvoice01 7`, `${change} endpoint 7`]],
    exits: [1, 3, 4, 6],
    fields: WEBHOOK_FIELDS,
    task: ([form, id]) => `${change} webhook endpoint ${id} of form ${form}`,
    async run(context, [form, webhook], options) {
      const id = idArgument('webhook endpoint', webhook)
      const control = await context.control(options.adminToken)
      const endpoint = await control.setActive(form, id, change)
      await context.output.item(endpoint, webhookFields(context.now))
      context.output.note(`${change}d endpoint ${id} of form ${form}`, 'good')
    },
  })
}
