import { member } from '../../columns/members.ts'
import { WEBHOOK_FIELDS, webhookFields } from '../../columns/webhooks.ts'
import { defineCommand } from '../../command.ts'
import { FORM } from '../../pickers/arguments.ts'

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
  examples: [
    [
      'formwire webhooks create guestvoice01 https://hooks.example.com/formwire',
      'add the endpoint and print its secret',
    ],
    [
      'formwire webhooks create FORM URL --json | jq -r .secret | vault-write',
      'pass the secret to another program without displaying it',
    ],
  ],
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
