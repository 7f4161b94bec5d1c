import { DELIVERY_FIELDS, deliveryColumns } from '../../columns/deliveries.ts'
import { defineCommand } from '../../command.ts'
import { Endpoints } from '../../control/endpoints.ts'
import { ADMIN_TOKEN } from '../../input/admin-token.ts'
import { idArgument } from '../../input/parse.ts'
import { FORMAT_OPTION, LIMIT_OPTION } from '../../lists/list-options.ts'
import { showItems } from '../../lists/show.ts'
import { ENDPOINT } from '../../pickers/arguments.ts'
import { noteHealth } from './note-health.ts'

/** Deliveries of an endpoint in the log. */
const LOG_SIZE = 50

/** `formwire deliveries list FORM WEBHOOK` */
export const deliveriesList = defineCommand({
  path: ['deliveries', 'list'],
  summary: 'list the latest deliveries of an endpoint',
  description:
    'Lists the latest 50 deliveries of an endpoint on a reference server, newest first. On a narrow terminal, without endpoint, ' +
    'note, next attempt and event, and on a very narrow one without attempts and response: deliveries show prints them. When piped, prints tab-separated: id, event, response id, ' +
    'status, HTTP status, attempts, next attempt, creation time, note, error, endpoint URL.',
  arguments: ENDPOINT,
  options: [LIMIT_OPTION, FORMAT_OPTION, ADMIN_TOKEN],
  examples: [
    ['formwire deliveries list guestvoice01 7', 'list what was sent to endpoint 7 and how it responded'],
  ],
  exits: [1, 3, 4, 6],
  fields: DELIVERY_FIELDS,
  task: ([form, id]) => `list the deliveries to webhook endpoint ${id} of form ${form}`,
  async run(context, [form, webhook], options) {
    const webhookId = idArgument('webhook endpoint', webhook)
    const control = await context.control(options.adminToken)
    const deliveries = await control.deliveries(form, webhookId)
    const endpoints = new Endpoints(control)
    await noteHealth(context, endpoints, form, webhookId)
    if (deliveries[0] && !context.output.json) await endpoints.read(deliveries[0])
    const columns = deliveryColumns(context.now, endpoints.urlOf)
    // The log shows no older ones.
    const many = deliveries.length === LOG_SIZE ? 'latest deliveries' : 'deliveries'
    const view = { nouns: ['delivery', many], columns, fields: DELIVERY_FIELDS } as const
    await showItems(context, deliveries, view, options)
  },
})
