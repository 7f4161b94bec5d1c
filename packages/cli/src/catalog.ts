import type { CatalogEntry, CommandSpec } from './command.ts'
import { completeFrom } from './commands/complete.ts'
import { completion } from './commands/completion.ts'
import { conformance } from './commands/conformance.ts'
import { deliveriesList } from './commands/deliveries/list.ts'
import { deliveriesPause, deliveriesResume } from './commands/deliveries/pause.ts'
import { deliveriesReplay } from './commands/deliveries/replay.ts'
import { deliveriesShow } from './commands/deliveries/show.ts'
import { deliveriesTail } from './commands/deliveries/tail.ts'
import { deliveriesTest } from './commands/deliveries/test.ts'
import { doctor } from './commands/doctor.ts'
import { formsClose } from './commands/forms/close.ts'
import { formsGet } from './commands/forms/get.ts'
import { formsList } from './commands/forms/list.ts'
import { formsRename } from './commands/forms/rename.ts'
import { formsReopen } from './commands/forms/reopen.ts'
import { listen } from './commands/listen.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { open } from './commands/open.ts'
import { profilesList } from './commands/profiles/list.ts'
import { profilesRemove } from './commands/profiles/remove.ts'
import { profilesUse } from './commands/profiles/use.ts'
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
import { printVersion } from './commands/version.ts'
import { webhooksCreate } from './commands/webhooks/create.ts'
import { webhooksDelete } from './commands/webhooks/delete.ts'
import { webhooksList } from './commands/webhooks/list.ts'
import { whoami } from './commands/whoami.ts'

const COMMANDS: readonly CatalogEntry[] = [
  command('whoami', 'show the current user, the key and where the key comes from', whoami),
  command('login', 'store an API key as a profile', login),
  command('logout', 'remove a stored profile', logout),
  command('profiles list', 'list the stored profiles', profilesList),
  command('profiles use', 'make a stored profile the current one', profilesUse),
  command('profiles remove', 'remove a stored profile', profilesRemove),
  command('doctor', 'check versions, configuration, server, key and clock', doctor),
  command('open', 'open the public link of a form in the browser', open),
  command('forms list', 'list the forms of the workspace', formsList),
  command('forms get', 'show one form', formsGet),
  command('forms close', 'close a published form', formsClose),
  command('forms reopen', 'reopen a closed form', formsReopen),
  command('forms rename', 'change the dashboard title of a form', formsRename),
  command('responses list', 'list the responses of a form, newest first', responsesList),
  command('responses get', 'show one response with its answers', responsesGet),
  command('responses delete', 'delete responses with their answers and files', responsesDelete),
  command('responses submit', 'submit a response to a form of a reference server', responsesSubmit),
  command('responses tail', 'print new responses as they arrive', responsesTail),
  command('responses export', 'export all responses as CSV, NDJSON or JSON', responsesExport),
  command('types', 'generate TypeScript types, zod or JSON Schemas of answers', types),
  command('webhooks list', 'list the webhook endpoints of a form', webhooksList),
  command('webhooks create', 'add a webhook endpoint and show its secret once', webhooksCreate),
  command('webhooks delete', 'delete a webhook endpoint and its delivery log', webhooksDelete),
  command('deliveries list', 'list the latest deliveries of an endpoint', deliveriesList),
  command('deliveries show', 'show one delivery with every attempt', deliveriesShow),
  command('deliveries tail', 'print deliveries as they happen', deliveriesTail),
  command('deliveries replay', 'replay a delivery', deliveriesReplay),
  command('deliveries test', 'send a test event to an endpoint', deliveriesTest),
  command('deliveries pause', 'pause an endpoint', deliveriesPause),
  command('deliveries resume', 'resume a paused endpoint', deliveriesResume),
  command('sync', 'keep a SQLite or PostgreSQL database equal to your forms', sync),
  command('listen', 'receive webhooks locally: verify, show and forward them', listen),
  command('replay', 'send a recorded delivery again with a new signature', replay),
  command('trigger', 'send one signed delivery to a handler', trigger),
  command('receiver check', 'check a webhook receiver in any language', receiverCheck),
  command('serve', 'run the reference server', serve),
  command('conformance', 'check a service against the documented rules', conformance),
  command('completion', 'print a completion script for bash, zsh, fish or PowerShell', completion),
  command('version', 'print the version', printVersion),
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

// biome-ignore lint/suspicious/noExplicitAny: the options differ per command
function command(words: string, summary: string, spec: CommandSpec<any>): CatalogEntry {
  return { path: words.split(' ') as [string], summary, spec }
}
