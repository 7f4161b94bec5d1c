import type { EndpointHealth } from '@formwire/contract/control'
import { isLoopbackHost } from '@formwire/internal/loopback'
import { member } from '../columns/members.ts'
import { WEBHOOK_FIELDS, webhookColumns, webhookFields } from '../columns/webhooks.ts'
import { defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { notFound } from '../failure.ts'
import { confirmDeletion } from '../input/ask.ts'
import { idArgument } from '../input/parse.ts'
import { FORMAT_OPTION, formatOf, LIMIT_OPTION, showItems } from '../lists/list.ts'
import { FORM } from '../pickers/arguments.ts'
import { chooseEndpoint } from '../pickers/choose.ts'

/** `formwire webhooks list FORM` */
export const webhooksList = defineCommand({
  path: ['webhooks', 'list'],
  summary: 'list the webhook endpoints of a form',
  description:
    'A secret is shown only once, when its endpoint is created. A table has the health of each endpoint in place of its state if ' +
    'FORMWIRE_ADMIN_TOKEN is the admin token of a reference server on this machine. When piped, prints tab-separated: id, URL, state, creation time.',
  arguments: [FORM],
  options: [LIMIT_OPTION, FORMAT_OPTION],
  examples: { 'formwire webhooks list guestvoice01': 'list the endpoints of the form' },
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
  return new Map(endpoints.map(({ id, health }) => [id, health]))
}

/** `formwire webhooks create FORM URL` */
export const webhooksCreate = defineCommand({
  path: ['webhooks', 'create'],
  summary: 'add a webhook endpoint and show its secret once',
  description:
    'Sends every response submitted from now on to the URL, signed with the secret that this command prints once. The ' +
    'secret cannot be shown again. Requires a write key.',
  arguments: [
    FORM,
    {
      name: '<url>',
      description: 'https URL of a public host, on port 80, 443, 8080 or 8443, without user name or password',
    },
  ],
  examples: {
    'formwire webhooks create guestvoice01 https://hooks.example.com/formwire':
      'add the endpoint and print its secret',
    'formwire webhooks create FORM URL --json | jq -r .secret | vault-write':
      'pass the secret to another program without displaying it',
  },
  exits: [1, 3, 4, 5, 6],
  fields: [...WEBHOOK_FIELDS, 'secret'],
  task: ([form]) => `create a webhook endpoint on form ${form}`,
  async run(context, [form, url]) {
    const client = await context.client()
    const endpoint = await client.webhooks.create(form, { url: url })
    await context.output.item(endpoint, [...webhookFields(context.now), member('secret', 'Secret')])
    context.output.note("Save this secret now. It won't be shown again.", 'wait')
  },
})

/** `formwire webhooks delete FORM ID` */
export const webhooksDelete = defineCommand({
  path: ['webhooks', 'delete'],
  summary: 'delete a webhook endpoint and its delivery log',
  description:
    'Pending deliveries are dropped. Prompts for confirmation; without a terminal, pass ' +
    '--yes. Requires a write key.',
  arguments: [FORM, { name: '<id>', description: 'id of the endpoint', choose: chooseEndpoint }],
  examples: { 'formwire webhooks delete guestvoice01 7 --yes': 'delete endpoint 7 without confirmation' },
  asks: true,
  exits: [1, 3, 4, 5, 6],
  fields: ['id', 'deleted'],
  task: ([form, id]) => `delete webhook endpoint ${id} of form ${form}`,
  async run(context, [formId, idText]) {
    const id = idArgument('webhook endpoint', idText)
    await confirmDeletion(context, async () => {
      const client = await context.client()
      const form = await client.forms.get(formId)
      const endpoint = (await client.webhooks.list(formId)).data.find((candidate) => candidate.id === id)
      if (!endpoint)
        throw notFound(
          `webhook endpoint ${id} of form ${formId} not found`,
          `see formwire webhooks list ${formId}`,
        )
      return `webhook endpoint ${id} (${endpoint.url}) of "${form.title}" with its delivery log`
    })
    const deleted = await (await context.client()).webhooks.delete(formId, id)
    if (context.output.json) await context.output.document(deleted)
    context.output.note(`deleted webhook endpoint ${id} of form ${formId}`, 'good')
  },
})
