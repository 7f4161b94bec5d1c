import { DELIVERY_FIELDS, deliveryColumns, liveDeliveryColumns } from '../../columns/deliveries.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { Endpoints } from '../../control/endpoints.ts'
import { type FollowEvent, openTail } from '../../control/follow.ts'
import { count, idArgument, sinceOption } from '../../input/parse.ts'
import { VIEW, viewOf } from '../../input/view-option.ts'
import type { Output } from '../../output/output.ts'
import { RowPrinter } from '../../output/row-printer.ts'
import { ADMIN_TOKEN } from '../../pickers/arguments.ts'
import { OutageReport } from '../../polling/outage-report.ts'
import { noteHealth } from '../deliveries.ts'

/** `formwire deliveries tail [FORM] [WEBHOOK]` */
export const deliveriesTail = defineCommand({
  path: ['deliveries', 'tail'],
  summary: 'print deliveries as they happen',
  description:
    'Prints every change of the delivery log from now on, oldest first. On a terminal, opens a live view with keys ' +
    '(? lists them). When piped, prints lines like deliveries list; with --json, NDJSON. Reconnects after an outage, ' +
    'and gives up after six failed attempts in a row.',
  arguments: [
    { name: '[form]', description: 'show only deliveries of this form' },
    { name: '[webhook]', description: 'show only deliveries to this endpoint' },
  ],
  options: [
    { name: 'form', value: 'id', description: 'same as the form argument' },
    { name: 'webhook', value: 'id', description: 'same as the endpoint argument' },
    {
      name: 'since',
      value: 'time',
      description: 'start with deliveries logged since this ISO 8601 time, or a span such as 2h',
    },
    { name: 'count', value: 'n', description: 'exit after this many changes', parse: count },
    VIEW,
    ADMIN_TOKEN,
  ],
  examples: {
    'formwire deliveries tail': 'watch every delivery of the server',
    'formwire deliveries tail guestvoice01 --json | jq .status':
      'print the status of every change of one form',
  },
  exits: [1, 3, 4, 6],
  fields: DELIVERY_FIELDS,
  task: () => 'follow the deliveries',
  async run(context, [formArgument, webhookArgument], options) {
    const { runtime } = context
    const view = viewOf(context, options)
    // Loads while the server responds.
    const ui = view === 'live' ? import('./live-tail.ts') : undefined
    ui?.catch(() => undefined)
    const webhook = webhookArgument ?? options.webhook
    const control = await context.control(options.adminToken)
    const formId = formArgument ?? options.form
    const webhookId = webhook === undefined ? undefined : idArgument('webhook endpoint', webhook)
    const endpoints = new Endpoints(control)
    if (!ui) await noteHealth(context, endpoints, formId, webhookId)
    const source = await openTail(control, {
      formId,
      webhookId,
      since: sinceInstant(sinceOption(options.since, runtime.clock)),
      clock: runtime.clock,
      stop: runtime.stop,
    })
    if (!ui) return await tailPlainly(context, source, endpoints, options.count, view === 'quiet')
    const { showDeliveryTail } = await ui
    return await showDeliveryTail(context, control, source, endpoints, { formId, webhookId })
  },
})

function sinceInstant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  // Like the service: a time without a zone is UTC.
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || /^\d{4}-\d\d-\d\d$/.test(text) ? text : `${text}Z`
  return Date.parse(zoned)
}

/**
 * Prints a tail as lines: in columns on a terminal, tab-separated on a pipe, NDJSON with `--json`. Ends after `count` changes, if given.
 * `isQuiet`: prints only changes of the connection.
 */
async function tailPlainly(
  context: Context,
  source: AsyncIterable<FollowEvent>,
  endpoints: Endpoints,
  count: number | undefined,
  isQuiet = false,
): Promise<void> {
  const { output } = context
  const { now } = context
  const columns = deliveryColumns(now, endpoints.urlOf)
  const live = liveDeliveryColumns(now, endpoints.urlOf)
  const rows = new RowPrinter(output, columns, live, ({ created_at: at }) => at)
  let shown = 0
  const watch = new OutageReport(output)
  for await (const event of source) {
    if (event.type === 'delivery') {
      if (!isQuiet) {
        if (!output.json) await endpoints.read(event.delivery)
        await rows.print(event.delivery)
      }
      shown += 1
      if (shown === count) return
    } else report(output, watch, event)
  }
}

/** Reports a change of the connection on stderr: an outage once when it begins and once when it ends. */
function report(
  output: Output,
  watch: OutageReport,
  event: Exclude<FollowEvent, { type: 'delivery' }>,
): void {
  if (event.type === 'lost') watch.lost(event.reason)
  else if (event.type === 'gap')
    output.announce('gap', 'some changes were missed: the server no longer has them')
  else if (event.type === 'reset') output.announce('reset', 'the server was reset')
  else if (event.again) watch.recovered()
  else output.note('waiting for deliveries (Ctrl-C to stop)', 'wait')
}
