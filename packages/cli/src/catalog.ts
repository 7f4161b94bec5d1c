import type { CommandSpec } from './command.ts'

/** A command as the program knows it before it is loaded. */
export interface CatalogEntry {
  /** Words that name it, such as `forms list`. */
  path: readonly [string] | readonly [noun: string, verb: string]
  /** One line of help. */
  summary: string
  /** Not shown in help. */
  hidden?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: each command has options of its own; commander fills them
  load(): Promise<CommandSpec<any>>
}

/** Every command of the program, in the order of help. */
export const CATALOG: readonly CatalogEntry[] = [
  {
    path: ['whoami'],
    summary: 'show whose key is used, and where it came from',
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  {
    path: ['login'],
    summary: 'store a key as a profile',
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    path: ['logout'],
    summary: 'remove a stored profile',
    load: async () => (await import('./commands/logout.ts')).logout,
  },
  {
    path: ['forms', 'list'],
    summary: 'list the forms of the workspace',
    load: async () => (await import('./commands/forms/list.ts')).formsList,
  },
  {
    path: ['forms', 'get'],
    summary: 'show one form',
    load: async () => (await import('./commands/forms/get.ts')).formsGet,
  },
  {
    path: ['forms', 'close'],
    summary: 'close a published form',
    load: async () => (await import('./commands/forms/close.ts')).formsClose,
  },
  {
    path: ['forms', 'reopen'],
    summary: 'reopen a closed form',
    load: async () => (await import('./commands/forms/reopen.ts')).formsReopen,
  },
  {
    path: ['forms', 'rename'],
    summary: 'change the title of a form in the dashboard',
    load: async () => (await import('./commands/forms/rename.ts')).formsRename,
  },
  {
    path: ['responses', 'list'],
    summary: 'list the responses of a form, newest first',
    load: async () => (await import('./commands/responses/list.ts')).responsesList,
  },
  {
    path: ['responses', 'get'],
    summary: 'show one response with its answers',
    load: async () => (await import('./commands/responses/get.ts')).responsesGet,
  },
  {
    path: ['responses', 'delete'],
    summary: 'delete one response, its answers and files',
    load: async () => (await import('./commands/responses/delete.ts')).responsesDelete,
  },
  {
    path: ['responses', 'tail'],
    summary: 'print new responses as they come in',
    load: async () => (await import('./commands/responses/tail.ts')).responsesTail,
  },
  {
    path: ['responses', 'export'],
    summary: 'write all responses as CSV, NDJSON or JSON',
    load: async () => (await import('./commands/responses/export.ts')).responsesExport,
  },
  {
    path: ['webhooks', 'list'],
    summary: 'list the webhook endpoints of a form',
    load: async () => (await import('./commands/webhooks/list.ts')).webhooksList,
  },
  {
    path: ['webhooks', 'create'],
    summary: 'add a webhook endpoint and show its secret once',
    load: async () => (await import('./commands/webhooks/create.ts')).webhooksCreate,
  },
  {
    path: ['webhooks', 'delete'],
    summary: 'remove a webhook endpoint and its log',
    load: async () => (await import('./commands/webhooks/delete.ts')).webhooksDelete,
  },
  {
    path: ['deliveries', 'list'],
    summary: 'list the latest deliveries of an endpoint',
    load: async () => (await import('./commands/deliveries/list.ts')).deliveriesList,
  },
  {
    path: ['deliveries', 'show'],
    summary: 'show one delivery with every attempt',
    load: async () => (await import('./commands/deliveries/show.ts')).deliveriesShow,
  },
  {
    path: ['deliveries', 'tail'],
    summary: 'print deliveries as they are made',
    load: async () => (await import('./commands/deliveries/tail.ts')).deliveriesTail,
  },
  {
    path: ['deliveries', 'replay'],
    summary: 'send a delivery again',
    load: async () => (await import('./commands/deliveries/replay.ts')).deliveriesReplay,
  },
  {
    path: ['deliveries', 'test'],
    summary: 'send a test event to an endpoint',
    load: async () => (await import('./commands/deliveries/test.ts')).deliveriesTest,
  },
  {
    path: ['completion'],
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  {
    path: ['__complete'],
    summary: 'answer a completion script',
    hidden: true,
    load: async () => (await import('./commands/complete.ts')).complete,
  },
]
