/** The help summary of each command group. */
export const NOUNS: Readonly<Record<string, string>> = {
  forms: 'list forms and change their status or title',
  responses: 'read, follow, export, submit and delete responses',
  webhooks: 'list, create and delete webhook endpoints',
  deliveries: 'read the delivery log of a reference server',
  receiver: 'check a webhook receiver',
  inbox: 'inspect the queue of an inbox, and retry or delete dead responses',
  sync: 'show the state of a synchronized database',
  seed: 'copy a workspace for a local server, with personal data replaced',
  profiles: 'list, select and remove stored profiles',
}

/** The commands and groups of the program's help by topic, in the order of help. What is missing here follows at the end. */
export const TOPICS: readonly (readonly [topic: string, words: readonly string[]])[] = [
  ['Account', ['login', 'logout', 'whoami', 'profiles', 'doctor']],
  ['Forms and responses', ['forms', 'responses', 'sync', 'types']],
  ['Webhooks', ['webhooks', 'listen', 'trigger', 'replay', 'inbox']],
  ['Test your handler', ['rehearse', 'receiver']],
  ['Reference server', ['serve', 'seed', 'deliveries', 'conformance']],
]
