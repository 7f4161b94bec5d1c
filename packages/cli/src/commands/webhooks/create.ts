import type { CreatedWebhookEndpoint } from '@formwire/contract'
import { defineCommand } from '../../command.ts'
import type { Field } from '../../output/output.ts'
import { required } from '../parse.ts'
import { webhookFields } from './columns.ts'

/** `formwire webhooks create FORM URL` */
export const webhooksCreate = defineCommand({
  description:
    'Responses submitted from now on are sent to the URL, signed with the secret that is printed here once and can ' +
    'never be had again. Needs a write key.',
  arguments: [
    { name: '<form>', description: 'id of the form' },
    {
      name: '<url>',
      description: 'https, a public host, port 80, 443, 8080 or 8443, no user name or password',
    },
  ],
  examples: [
    [
      'formwire webhooks create 8hTq2LmVx4Rb https://hooks.example.com/formwire',
      'adds the endpoint and prints its secret',
    ],
    ['formwire webhooks create FORM URL --json | jq -r .secret | vault-write', 'hands the secret on, unseen'],
  ],
  exits: [1, 3, 4, 5, 6],
  async run(context, [form, url]) {
    const client = await context.client()
    const endpoint = await client.webhooks.create(required(form), { url: required(url) })
    await context.output.item(endpoint, [...webhookFields(context.runtime.clock.now()), SECRET])
    context.output.note('keep the secret now: it is never shown again')
  },
})

const SECRET: Field<CreatedWebhookEndpoint> = {
  name: 'secret',
  label: 'Secret',
  text: (endpoint) => endpoint.secret,
}
