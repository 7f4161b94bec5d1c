import { defineCommand } from '../../command.ts'
import { EXIT } from '../../exit.ts'
import { Failure } from '../../failure.ts'
import { liveTerminal } from '../../ui/live-terminal.ts'
import { countOption, idArgument, sinceOption } from '../parse.ts'
import { ADMIN_TOKEN, type AdminOptions } from './admin-option.ts'
import { tailPlainly } from './plain-tail.ts'
import { tailSource } from './tail-source.ts'

interface TailOptions extends AdminOptions {
  form?: string
  webhook?: string
  since?: string
  count?: number
}

/** `formwire deliveries tail [FORM] [WEBHOOK]` */
export const deliveriesTail = defineCommand<TailOptions>({
  description:
    'One line for each change of the log, from now on, oldest first. On a terminal it is a live view with keys ' +
    '(r replay, o details, f filter, q quit); on a pipe lines as of deliveries list, with --json NDJSON.',
  arguments: [
    { name: '[form]', description: 'only deliveries of this form' },
    { name: '[webhook]', description: 'only deliveries to this endpoint' },
  ],
  options: [
    { flags: '--form <id>', description: 'the form, as an option' },
    { flags: '--webhook <id>', description: 'the endpoint, as an option' },
    {
      flags: '--since <time>',
      description: 'begin with what the log holds since this ISO 8601 time, or a span such as 2h',
    },
    { flags: '--count <n>', description: 'end after this many changes', parse: countOption('--count') },
    ADMIN_TOKEN,
  ],
  examples: [
    ['formwire deliveries tail', 'every delivery of the server, as it happens'],
    ['formwire deliveries tail 8hTq2LmVx4Rb --json | jq .status', 'one form, for a script'],
  ],
  exits: [1, 3, 4, 6],
  async run(context, [formArgument, webhookArgument], options) {
    const { runtime, output } = context
    const webhook = webhookArgument ?? options.webhook
    const admin = await context.admin(options.adminToken)
    const source = tailSource(admin, {
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
    return await showDeliveryTail(context, admin, source)
  },
})

function sinceInstant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  // As the service reads it: without a zone it is UTC.
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || /^\d{4}-\d\d-\d\d$/.test(text) ? text : `${text}Z`
  const at = Date.parse(zoned)
  if (!Number.isNaN(at)) return at
  throw new Failure(`--since takes an ISO 8601 time or a span such as 2h, not "${text}"`, {
    exitCode: EXIT.usage,
    code: 'usage',
  })
}
