import { isLoopbackHost } from '@formwire/internal/loopback'
import { WEBHOOK_FIELDS, webhookColumns } from '../../columns/webhooks.ts'
import { defineCommand } from '../../command.ts'
import { Endpoints } from '../../control/endpoints.ts'
import { required } from '../../input/parse.ts'
import { FORMAT_OPTION, LIMIT_OPTION, type WholeListOptions } from '../../lists/list-options.ts'
import { showItems } from '../../lists/show.ts'
import { FORM } from '../../pickers/arguments.ts'
import { noteHealth } from '../deliveries/note-health.ts'

/** `formwire webhooks list FORM` */
export const webhooksList = defineCommand<WholeListOptions>({
  path: ['webhooks', 'list'],
  summary: 'list the webhook endpoints of a form',
  description:
    'A secret is shown only once, when its endpoint is created. When piped, prints tab-separated: id, URL, state, creation time.',
  arguments: [FORM],
  options: [LIMIT_OPTION, FORMAT_OPTION],
  examples: [['formwire webhooks list 8hTq2LmVx4Rb', 'list the endpoints of the form']],
  exits: [1, 3, 4, 5, 6],
  fields: WEBHOOK_FIELDS,
  task: ([form]) => `list the webhook endpoints of form ${form}`,
  async run(context, [form], options) {
    const page = await (await context.client()).webhooks.list(required(form))
    const { FORMWIRE_ADMIN_TOKEN: token } = context.runtime.env
    // The token may be that of another server, so it goes to this machine only.
    if (token && isLoopbackHost(new URL(context.baseUrl()).hostname))
      await noteHealth(context, new Endpoints(await context.control(token)), form, undefined).catch(() => {})
    const view = {
      nouns: ['webhook endpoint', 'webhook endpoints'],
      columns: webhookColumns(context.now),
      fields: WEBHOOK_FIELDS,
    } as const
    await showItems(context, page.data, view, options)
  },
})
