/** The help summary of each command group. */
export const NOUNS: Readonly<Record<string, string>> = {
  forms: 'list forms and change their status or title',
  responses: 'read, follow, export, submit and delete responses',
  webhooks: 'list, create and delete webhook endpoints',
  deliveries: 'read the delivery log of a reference server',
  receiver: 'check a webhook receiver',
}
