import { defineCommand } from '../../command.ts'
import { tailSource } from '../../control/tail-source.ts'
import { ADMIN_TOKEN, type AdminTokenOption } from '../../input/admin-token.ts'
import { countOption, idArgument, sinceOption } from '../../input/parse.ts'
import { liveTerminal } from '../../ui/live-terminal.ts'
import { tailPlainly } from './plain-tail.ts'

interface TailOptions extends AdminTokenOption {
  form?: string
  webhook?: string
  since?: string
  count?: number
}

/** `formwire deliveries tail [FORM] [WEBHOOK]` */
export const deliveriesTail = defineCommand<TailOptions>({
  description:
    'Prints every change of the delivery log from now on, oldest first. On a terminal, opens a live view with keys ' +
    '(r replay, o details, f filter, q quit). When piped, prints lines like deliveries list; with --json, NDJSON.',
  arguments: [
    { name: '[form]', description: 'show only deliveries of this form' },
    { name: '[webhook]', description: 'show only deliveries to this endpoint' },
  ],
  options: [
    { flags: '--form <id>', description: 'same as the form argument' },
    { flags: '--webhook <id>', description: 'same as the endpoint argument' },
    {
      flags: '--since <time>',
      description: 'start with deliveries logged since this ISO 8601 time, or a span such as 2h',
    },
    { flags: '--count <n>', description: 'exit after this many changes', parse: countOption('--count') },
    ADMIN_TOKEN,
  ],
  examples: [
    ['formwire deliveries tail', 'watch every delivery of the server'],
    [
      'formwire deliveries tail 8hTq2LmVx4Rb --json | jq .status',
      'print the status of every change of one form',
    ],
  ],
  exits: [1, 3, 4, 6],
  async run(context, [formArgument, webhookArgument], options) {
    const { runtime, output } = context
    const webhook = webhookArgument ?? options.webhook
    const control = await context.control(options.adminToken)
    const source = tailSource(control, {
      formId: formArgument ?? options.form,
      webhookId: webhook === undefined ? undefined : idArgument('webhook endpoint', webhook),
      since: sinceInstant(sinceOption(options.since, runtime.clock)),
      clock: runtime.clock,
      stop: runtime.stop,
    })
    if (output.json || options.count !== undefined || !liveTerminal(runtime)) {
      return await tailPlainly(context, source, options.count)
    }
    const { showDeliveryTail } = await import('../../ui/delivery-tail.ts')
    return await showDeliveryTail(context, control, source)
  },
})

function sinceInstant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  // Like the service: a time without a zone is UTC.
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || /^\d{4}-\d\d-\d\d$/.test(text) ? text : `${text}Z`
  return Date.parse(zoned)
}
