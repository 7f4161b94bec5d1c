import { toneOf } from '@formwire/internal/status-tone'
import { DELIVERY_FIELDS, deliveryColumns, deliveryFields } from '../columns/deliveries.ts'
import { WEBHOOK_FIELDS, webhookFields } from '../columns/webhooks.ts'
import { type Command, defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import type { Delivery } from '../control/client.ts'
import { Endpoints, healthText } from '../control/endpoints.ts'
import { idArgument } from '../input/parse.ts'
import { FORMAT_OPTION, LIMIT_OPTION, showItems } from '../lists/list.ts'
import { tsvLine } from '../output/table.ts'
import { ADMIN_TOKEN, DELIVERY, ENDPOINT } from '../pickers/arguments.ts'

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
  examples: {
    'formwire deliveries list guestvoice01 7': 'list what was sent to endpoint 7 and how it responded',
  },
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

/**
 * Prints, on a terminal, the health of the endpoints whose deliveries are shown: the one that is asked for, else those that are
 * failing or paused.
 */
export async function noteHealth(
  { output }: Context,
  endpoints: Endpoints,
  formId: string | undefined,
  webhookId: number | undefined,
): Promise<void> {
  if (!output.isTerminal || output.json || output.quiet) return
  for (const { id, url, health } of await endpoints.of(formId, webhookId)) {
    const isShown = webhookId !== undefined || health.state === 'failing' || health.state === 'paused'
    if (isShown) output.note(`endpoint ${id} (${url}): ${healthText(health)}`, toneOf(health.state))
  }
}

/** `formwire deliveries show ID` */
export const deliveriesShow = defineCommand({
  path: ['deliveries', 'show'],
  summary: 'show one delivery with every attempt',
  description: 'Shows a delivery with its payload and every attempt: start, HTTP status or error, duration.',
  arguments: [DELIVERY],
  options: [ADMIN_TOKEN],
  examples: { 'formwire deliveries show DELIVERY --json | jq .attempts': 'print its attempts as JSON' },
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

/** `formwire deliveries replay ID` */
export const deliveriesReplay = defineCommand({
  path: ['deliveries', 'replay'],
  summary: 'replay a delivery',
  description: 'Queues a copy of the delivery with a new id. Fails while the endpoint is paused.',
  arguments: [DELIVERY],
  options: [ADMIN_TOKEN],
  examples: { 'formwire deliveries replay DELIVERY': 'send a delivery again' },
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
  examples: { 'formwire deliveries test guestvoice01 7': 'send a test event to endpoint 7' },
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
    examples: { [`formwire deliveries ${change} guestvoice01 7`]: `${change} endpoint 7` },
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
