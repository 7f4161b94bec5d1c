import type { CatalogEntry } from './command.ts'
import { completeFrom } from './commands/complete.ts'
import { completion } from './commands/completion.ts'
import { conformance } from './commands/conformance.ts'
import { deliveriesList } from './commands/deliveries/list.ts'
import { deliveriesReplay } from './commands/deliveries/replay.ts'
import { deliveriesShow } from './commands/deliveries/show.ts'
import { deliveriesTail } from './commands/deliveries/tail.ts'
import { deliveriesTest } from './commands/deliveries/test.ts'
import { formsClose } from './commands/forms/close.ts'
import { formsGet } from './commands/forms/get.ts'
import { formsList } from './commands/forms/list.ts'
import { formsRename } from './commands/forms/rename.ts'
import { formsReopen } from './commands/forms/reopen.ts'
import { listen } from './commands/listen.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { receiverCheck } from './commands/receiver/check.ts'
import { replay } from './commands/replay.ts'
import { responsesDelete } from './commands/responses/delete.ts'
import { responsesExport } from './commands/responses/export.ts'
import { responsesGet } from './commands/responses/get.ts'
import { responsesList } from './commands/responses/list.ts'
import { responsesSubmit } from './commands/responses/submit.ts'
import { responsesTail } from './commands/responses/tail.ts'
import { serve } from './commands/serve.ts'
import { sync } from './commands/sync.ts'
import { trigger } from './commands/trigger.ts'
import { types } from './commands/types.ts'
import { webhooksCreate } from './commands/webhooks/create.ts'
import { webhooksDelete } from './commands/webhooks/delete.ts'
import { webhooksList } from './commands/webhooks/list.ts'
import { whoami } from './commands/whoami.ts'

const COMMANDS: readonly CatalogEntry[] = [
  {
    path: ['whoami'],
    summary: 'show the current user, the key and where the key comes from',
    spec: whoami,
  },
  {
    path: ['login'],
    summary: 'store an API key as a profile',
    spec: login,
  },
  {
    path: ['logout'],
    summary: 'remove a stored profile',
    spec: logout,
  },
  {
    path: ['forms', 'list'],
    summary: 'list the forms of the workspace',
    spec: formsList,
  },
  {
    path: ['forms', 'get'],
    summary: 'show one form',
    spec: formsGet,
  },
  {
    path: ['forms', 'close'],
    summary: 'close a published form',
    spec: formsClose,
  },
  {
    path: ['forms', 'reopen'],
    summary: 'reopen a closed form',
    spec: formsReopen,
  },
  {
    path: ['forms', 'rename'],
    summary: 'change the dashboard title of a form',
    spec: formsRename,
  },
  {
    path: ['responses', 'list'],
    summary: 'list the responses of a form, newest first',
    spec: responsesList,
  },
  {
    path: ['responses', 'get'],
    summary: 'show one response with its answers',
    spec: responsesGet,
  },
  {
    path: ['responses', 'delete'],
    summary: 'delete one response with its answers and files',
    spec: responsesDelete,
  },
  {
    path: ['responses', 'submit'],
    summary: 'submit a response to a form of a reference server',
    spec: responsesSubmit,
  },
  {
    path: ['responses', 'tail'],
    summary: 'print new responses as they arrive',
    spec: responsesTail,
  },
  {
    path: ['responses', 'export'],
    summary: 'export all responses as CSV, NDJSON or JSON',
    spec: responsesExport,
  },
  {
    path: ['types'],
    summary: 'generate TypeScript types, zod or JSON Schemas of answers',
    spec: types,
  },
  {
    path: ['webhooks', 'list'],
    summary: 'list the webhook endpoints of a form',
    spec: webhooksList,
  },
  {
    path: ['webhooks', 'create'],
    summary: 'add a webhook endpoint and show its secret once',
    spec: webhooksCreate,
  },
  {
    path: ['webhooks', 'delete'],
    summary: 'delete a webhook endpoint and its delivery log',
    spec: webhooksDelete,
  },
  {
    path: ['deliveries', 'list'],
    summary: 'list the latest deliveries of an endpoint',
    spec: deliveriesList,
  },
  {
    path: ['deliveries', 'show'],
    summary: 'show one delivery with every attempt',
    spec: deliveriesShow,
  },
  {
    path: ['deliveries', 'tail'],
    summary: 'print deliveries as they happen',
    spec: deliveriesTail,
  },
  {
    path: ['deliveries', 'replay'],
    summary: 'replay a delivery',
    spec: deliveriesReplay,
  },
  {
    path: ['deliveries', 'test'],
    summary: 'send a test event to an endpoint',
    spec: deliveriesTest,
  },
  {
    path: ['sync'],
    summary: 'keep a SQLite or PostgreSQL database equal to your forms',
    spec: sync,
  },
  {
    path: ['listen'],
    summary: 'receive webhooks locally: verify, show and forward them',
    spec: listen,
  },
  {
    path: ['replay'],
    summary: 'send a recorded delivery again with a new signature',
    spec: replay,
  },
  {
    path: ['trigger'],
    summary: 'send one signed delivery to a handler',
    spec: trigger,
  },
  {
    path: ['receiver', 'check'],
    summary: 'check a webhook receiver in any language',
    spec: receiverCheck,
  },
  {
    path: ['serve'],
    summary: 'run the reference server',
    spec: serve,
  },
  {
    path: ['conformance'],
    summary: 'check a service against the documented rules',
    spec: conformance,
  },
  {
    path: ['completion'],
    summary: 'print a completion script for bash, zsh or fish',
    spec: completion,
  },
]

/**
 * Every command of the program, in the order of help. A command's file contains its help and one `run`. Heavy modules are
 * loaded inside `run`, so that loading all commands costs next to nothing at start.
 */
export const CATALOG: readonly CatalogEntry[] = [
  ...COMMANDS,
  {
    path: ['__complete'],
    summary: 'print completion candidates for a completion script',
    hidden: true,
    spec: completeFrom(COMMANDS),
  },
]
