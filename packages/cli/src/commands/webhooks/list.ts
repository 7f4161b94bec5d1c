import type { EndpointHealth } from '@formwire/contract/control'
import { isLoopbackHost } from '@formwire/internal/loopback'
import { WEBHOOK_FIELDS, webhookColumns } from '../../columns/webhooks.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { FORMAT_OPTION, LIMIT_OPTION } from '../../lists/list-options.ts'
import { formatOf, showItems } from '../../lists/show.ts'
import { FORM } from '../../pickers/arguments.ts'

/** `formwire webhooks list FORM` */
export const webhooksList = defineCommand({
  path: ['webhooks', 'list'],
  summary: 'list the webhook endpoints of a form',
  description:
    'A secret is shown only once, when its endpoint is created. A table has the health of each endpoint in place of its state if ' +
    'FORMWIRE_ADMIN_TOKEN is the admin token of a reference server on this machine. When piped, prints tab-separated: id, URL, state, creation time.',
  arguments: [FORM],
  options: [LIMIT_OPTION, FORMAT_OPTION],
  examples: [['formwire webhooks list guestvoice01', 'list the endpoints of the form']],
  exits: [1, 3, 4, 5, 6],
  fields: WEBHOOK_FIELDS,
  task: ([form]) => `list the webhook endpoints of form ${form}`,
  async run(context, [form], options) {
    const page = await (await context.client()).webhooks.list(form)
    const isTable = formatOf(context, options.format) === 'table'
    const healths = isTable ? await readHealths(context) : undefined
    const view = {
      nouns: ['webhook endpoint', 'webhook endpoints'],
      columns: webhookColumns(context.now, healths),
      fields: WEBHOOK_FIELDS,
    } as const
    await showItems(context, page.data, view, options)
  },
})

/** Returns the health of each endpoint, which only a reference server has. */
async function readHealths(context: Context): Promise<ReadonlyMap<number, EndpointHealth> | undefined> {
  const { FORMWIRE_ADMIN_TOKEN: token } = context.runtime.env
  // The token may be that of another server, so it goes to this machine only.
  if (!token || !isLoopbackHost(new URL(context.baseUrl()).hostname)) return undefined
  const control = await context.control(undefined)
  const endpoints = await control.endpoints().catch(() => [])
  // Servers of earlier versions do not report it.
  return new Map(endpoints.flatMap(({ id, health }) => (health ? [[id, health] as const] : [])))
}
