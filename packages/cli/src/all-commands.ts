import type { Command } from './command.ts'
import { completeFrom } from './commands/complete.ts'
import { completion } from './commands/completion.ts'
import { conformance } from './commands/conformance.ts'
import { deliveriesList } from './commands/deliveries/list.ts'
import { deliveriesPause, deliveriesResume } from './commands/deliveries/pause.ts'
import { deliveriesReplay, deliveriesTest } from './commands/deliveries/replay.ts'
import { deliveriesShow } from './commands/deliveries/show.ts'
import { deliveriesTail } from './commands/deliveries/tail.ts'
import { doctor } from './commands/doctor.ts'
import { formsClose, formsReopen } from './commands/forms/close.ts'
import { formsGet } from './commands/forms/get.ts'
import { formsList } from './commands/forms/list.ts'
import { formsRename } from './commands/forms/rename.ts'
import { inboxDrop } from './commands/inbox/drop.ts'
import { inboxList } from './commands/inbox/list.ts'
import { inboxRetry } from './commands/inbox/retry.ts'
import { inboxShow } from './commands/inbox/show.ts'
import { listen } from './commands/listen.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { mcp } from './commands/mcp.ts'
import { profilesList } from './commands/profiles/list.ts'
import { profilesRemove } from './commands/profiles/remove.ts'
import { profilesUse } from './commands/profiles/use.ts'
import { receiverCheck } from './commands/receiver/check.ts'
import { rehearse } from './commands/rehearse.ts'
import { replay } from './commands/replay.ts'
import { responsesDelete } from './commands/responses/delete.ts'
import { responsesExport } from './commands/responses/export.ts'
import { responsesGet } from './commands/responses/get.ts'
import { responsesList } from './commands/responses/list.ts'
import { responsesSubmit } from './commands/responses/submit.ts'
import { responsesTail } from './commands/responses/tail.ts'
import { seedCheck } from './commands/seed/check.ts'
import { seedPull } from './commands/seed/pull.ts'
import { serve } from './commands/serve.ts'
import { syncStatus } from './commands/sync/status.ts'
import { sync } from './commands/sync.ts'
import { trigger } from './commands/trigger.ts'
import { types } from './commands/types.ts'
import { webhooksCreate } from './commands/webhooks/create.ts'
import { webhooksDelete } from './commands/webhooks/delete.ts'
import { webhooksList } from './commands/webhooks/list.ts'
import { whoami } from './commands/whoami.ts'

const SHOWN: readonly Command[] = [
  whoami,
  login,
  logout,
  profilesList,
  profilesUse,
  profilesRemove,
  doctor,
  formsList,
  formsGet,
  formsClose,
  formsReopen,
  formsRename,
  responsesList,
  responsesGet,
  responsesDelete,
  responsesSubmit,
  responsesTail,
  responsesExport,
  types,
  webhooksList,
  webhooksCreate,
  webhooksDelete,
  deliveriesList,
  deliveriesShow,
  deliveriesTail,
  deliveriesReplay,
  deliveriesTest,
  deliveriesPause,
  deliveriesResume,
  sync,
  syncStatus,
  listen,
  replay,
  trigger,
  receiverCheck,
  inboxList,
  inboxShow,
  inboxRetry,
  inboxDrop,
  rehearse,
  serve,
  mcp,
  seedPull,
  seedCheck,
  conformance,
  completion,
]

/**
 * Every command of the program, in the order of help. A command's file contains its help, its errors and one `run`. Heavy modules
 * are loaded inside `run`, so that loading all commands costs next to nothing at start.
 */
export const COMMANDS: readonly Command[] = [...SHOWN, completeFrom(SHOWN)]
